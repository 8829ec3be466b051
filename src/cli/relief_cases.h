/*
 * Terrains and erosions that J. Olsen scored (2004), as parameters of ours, and why a score of ours
 * differs where it does. What is told as a reason is a row of its own wherever it can be one.
 */
#ifndef ECO_CLI_RELIEF_CASES_H
#define ECO_CLI_RELIEF_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "world/relief/config.h"

#define ECO_RELIEF_CASE_PERIOD 512
#define ECO_RELIEF_CASE_STEPS 2

struct eco_relief_case {
    const char *what;
    struct eco_relief_source sources[2];
    unsigned sources_count;
    double perturb;
    enum eco_relief_field perturb_by;
    struct eco_relief_step steps[ECO_RELIEF_CASE_STEPS];
    unsigned steps_count;
    bool reading_order;
    bool bordered;   /* erosion ends at the window's outermost cells: they take, but never give */
    double paper[4]; /* eps, upsilon, beta, omega of the paper; 0: it has none */
    const char *why;
};

extern const struct eco_relief_case eco_relief_cases[];
extern const size_t eco_relief_cases_count;

#endif
