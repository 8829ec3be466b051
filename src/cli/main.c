#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "ecotone/ecotone.h"

static const char usage[] = "usage: ecotone COMMAND [OPTION]... [ARGUMENT]...\n"
                            "Maps of procedural worlds, drawn on demand.\n"
                            "\n"
                            "  serve [CONFIG]       serve tiles and the page over HTTP\n"
                            "  check CONFIG         say whether a configuration is right\n"
                            "  render               draw a rectangle of a world into a PNG file\n"
                            "  export               write the tiles of a rectangle as files\n"
                            "  score                say how well a window can be played on\n"
                            "  area                 say what ground is made of\n"
                            "  locate               find the nearest block of a biome\n"
                            "  bench WHAT           measure: blend, tiles or relief\n"
                            "  cache VERB           look into the cache file, clear or check it\n"
                            "  health [ADDR:PORT]   ask a running daemon whether it is well\n"
                            "\n"
                            "  --help               this text; after a command, its own\n"
                            "  --version            the version\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"serve", eco_cli_serve},   {"check", eco_cli_check}, {"render", eco_cli_render},
    {"export", eco_cli_export}, {"score", eco_cli_score}, {"area", eco_cli_area},
    {"locate", eco_cli_locate}, {"bench", eco_cli_bench}, {"health", eco_cli_health},
    {"cache", eco_cli_cache},
};

static int print_version(void)
{
    puts("ecotone " ECO_VERSION);
    return 0;
}

int main(int argc, char **argv)
{
    /* A reader that went away is an error of write(), in every command. */
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) {
        fputs(usage, stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        for (int k = 2; k < argc; k++) {
            if (strcmp(argv[k], "--version") == 0)
                return print_version();
        }
        return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "ecotone: there is no command '%s'\n%s", argv[1], usage);
    return 2;
}
