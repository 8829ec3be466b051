#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "codec/png_read.h"
#include "http/assets.h"
#include "world/config.h"

#define NUMBER_BYTES_MAX 24

/* strtoll takes spaces and stops at rubbish; a number here is a sign and digits, all of the text.
 */
static bool parse_integer(const char *text, size_t length, int64_t *out)
{
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    char copy[NUMBER_BYTES_MAX + 1];
    char *end;

    if (length <= sign || length > NUMBER_BYTES_MAX)
        return false;
    for (size_t k = sign; k < length; k++) {
        if (text[k] < '0' || text[k] > '9')
            return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    errno = 0;
    *out = strtoll(copy, &end, 10);
    return errno == 0 && *end == '\0';
}

bool eco_option_integers(const char *option, const char *text, int64_t low, int64_t high,
                         int64_t *out, unsigned count)
{
    const char *rest = text;

    for (unsigned k = 0; k < count; k++) {
        size_t length = strcspn(rest, ",");
        bool last = k + 1 == count;

        if (!parse_integer(rest, length, &out[k]) || (rest[length] == '\0') != last) {
            fprintf(stderr, "ecotone: --%s: '%s' is not %u whole number%s%s\n", option, text, count,
                    count > 1 ? "s" : "", count > 1 ? " with commas between them" : "");
            return false;
        }
        if (out[k] < low || out[k] > high) {
            fprintf(stderr, "ecotone: --%s: %lld is out of range; %lld to %lld\n", option,
                    (long long)out[k], (long long)low, (long long)high);
            return false;
        }
        rest += length + 1;
    }
    return true;
}

bool eco_option_integer(const char *option, const char *text, int64_t low, int64_t high,
                        int64_t *out)
{
    return eco_option_integers(option, text, low, high, out, 1);
}

static const char *const places[ECO_OPTION_CONFIG_FILES] = {
    "config/ecotone.yaml", "/usr/local/etc/ecotone/ecotone.yaml", "/etc/ecotone/ecotone.yaml"};

void eco_option_config_files(const char *path, const char *files[ECO_OPTION_CONFIG_FILES + 1])
{
    unsigned count = 0;

    if (path)
        files[count++] = path;
    while (!path && count < ECO_OPTION_CONFIG_FILES) {
        files[count] = places[count];
        count++;
    }
    files[count] = NULL;
}

int eco_option_config(const char *path, struct eco_config **out, const char **name,
                      struct eco_error *error)
{
    const char *dropped = NULL;

    name = name ? name : &dropped;
    for (unsigned k = 0; !path && k < ECO_OPTION_CONFIG_FILES; k++) {
        if (access(places[k], R_OK) == 0)
            path = places[k];
    }
    *name = path ? path : "the built-in configuration";
    if (path)
        return eco_config_load_with(path, &eco_png_images, out, error);
    return eco_config_parse(eco_default_config, eco_default_config_size, *name, out, error);
}

unsigned eco_option_threads(int64_t threads)
{
    long processors = threads > 0 ? (long)threads : sysconf(_SC_NPROCESSORS_ONLN);

    if (processors < 1)
        return 1;
    return processors < ECO_THREADS_MAX ? (unsigned)processors : ECO_THREADS_MAX;
}

static int refuse_layer(const char *name, const struct eco_world_config *world,
                        struct eco_error *error)
{
    char names[ECO_ERROR_TEXT_MAX] = "";
    size_t length = 0;

    for (int layer = 0; layer < ECO_LAYER_COUNT && length < sizeof(names); layer++) {
        if (eco_layer_available((enum eco_layer)layer, world))
            length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
                                       length ? ", " : "", eco_layer_name((enum eco_layer)layer));
    }
    return eco_error_set(error, ECO_EINVAL, "--layer: the world '%s' has no '%.64s'; %.300s",
                         world->name, name, names);
}

int eco_option_layer(const char *name, const struct eco_world_config *world, enum eco_layer *out,
                     struct eco_error *error)
{
    int layer = eco_layer_find(name, strlen(name));

    if (layer < 0 || !eco_layer_available((enum eco_layer)layer, world))
        return refuse_layer(name, world, error);
    *out = (enum eco_layer)layer;
    return 0;
}
