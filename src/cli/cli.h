/*
 * The commands of the program, one file each. argv[0] is the command's name, what follows are its
 * own options and arguments. The result is the exit status: 0 done, 1 failed (the reason is on
 * standard error), 2 used wrongly (so is the usage). `--help` prints the usage and gives 0.
 */
#ifndef ECO_CLI_CLI_H
#define ECO_CLI_CLI_H

/* serve [CONFIG]: the daemon, until SIGTERM or SIGINT. */
int eco_cli_serve(int argc, char **argv);

/* check CONFIG: says whether a configuration is right, without starting anything. */
int eco_cli_check(int argc, char **argv);

/* render: a layer of a rectangle of a world as a PNG file. */
int eco_cli_render(int argc, char **argv);

/* export: the tiles of a rectangle as files. */
int eco_cli_export(int argc, char **argv);

/* area, locate: what ground is made of, where a biome is nearest. */
int eco_cli_area(int argc, char **argv);
int eco_cli_locate(int argc, char **argv);

/* bench blend|tiles|relief: measures. */
int eco_cli_bench(int argc, char **argv);

/* score: how well a window of a world can be played on. */
int eco_cli_score(int argc, char **argv);

/* cache stats|purge|verify: the cache file; 3: verify found what is not as it should be. */
int eco_cli_cache(int argc, char **argv);

/* health [ADDRESS:PORT]: asks a running daemon whether it is well; the container's health check. */
int eco_cli_health(int argc, char **argv);

#endif
