#include "cli/cli.h"

#include <getopt.h>
#include <stdio.h>

#include "codec/png_read.h"
#include "world/config.h"

static const char usage[] = "usage: ecotone check CONFIG\n"
                            "Says whether the configuration is right: the worlds it holds, or its "
                            "first error.\n";

static int check(const char *path)
{
    struct eco_config *config = NULL;
    struct eco_error error;

    if (eco_config_load_with(path, &eco_png_images, &config, &error) != 0) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("%s: ok, %u world%s:", path, config->worlds_count, config->worlds_count == 1 ? "" : "s");
    for (unsigned i = 0; i < config->worlds_count; i++)
        printf("%s %s", i ? "," : "", config->worlds[i].name);
    printf("\n");
    eco_config_free(config);
    return 0;
}

int eco_cli_check(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    int option;

    optind = 0;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option != 'h') {
            fputs(usage, stderr);
            return 2;
        }
        fputs(usage, stdout);
        return 0;
    }
    if (argc - optind != 1) {
        fputs(usage, stderr);
        return 2;
    }
    return check(argv[optind]);
}
