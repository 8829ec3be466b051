#!/usr/bin/env bash
# Installs into an empty folder and builds a program against it, as a stranger would.
# usage: install.sh BUILD
set -euo pipefail
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
make --no-print-directory BUILD="$1" DESTDIR="$root" PREFIX=/opt/ecotone install

cat >"$root/user.c" <<'C'
#include <ecotone/ecotone.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct eco_config *config = NULL;
    struct eco_world *world = NULL;
    struct eco_error error = {0};

    if (argc != 2 || eco_config_load(argv[1], &config, &error) != 0 ||
        eco_world_open(config, "demo", NULL, &world, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("%u biomes, noise %.9f\n", eco_world_biome_count(world),
           (double)eco_os2s_noise2(1, 0.25, 0.5));
    eco_world_close(world);
    eco_config_free(config);
    return 0;
}
C
export PKG_CONFIG_PATH=$root/opt/ecotone/lib/pkgconfig
flags() {
    pkg-config "$@" ecotone | sed "s|/opt/ecotone|$root/opt/ecotone|g"
}
read -ra compile < <(flags --cflags)
read -ra link < <(flags --libs)
gcc -std=c11 -Wall -Wextra -Werror "${compile[@]}" "$root/user.c" "${link[@]}" -o "$root/user"
"$root/user" "$root/opt/ecotone/etc/ecotone/ecotone.yaml"
# The unit starts what was installed, with the configuration that was.
grep -qxF 'ExecStart=/opt/ecotone/bin/ecotone serve --cache /var/cache/ecotone/tiles.sqlite /opt/ecotone/etc/ecotone/ecotone.yaml' \
    "$root/opt/ecotone/lib/systemd/system/ecotone.service"
! grep -q /usr/local "$root/opt/ecotone/lib/systemd/system/ecotone.service"
"$root/opt/ecotone/bin/ecotone" --version | grep -F "$(pkg-config --modversion ecotone)"
