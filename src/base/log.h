/*
 * One line a message on standard error: time in UTC, level, text, in which control characters
 * become spaces. Thread rule: any thread; a line is written with one write.
 */
#ifndef ECO_BASE_LOG_H
#define ECO_BASE_LOG_H

enum eco_log_level {
    ECO_LOG_ERROR,
    ECO_LOG_WARN,
    ECO_LOG_INFO,
    ECO_LOG_DEBUG,
};

/* By level; ended by NULL. */
extern const char *const eco_log_level_names[];

/* Messages above this level are dropped from now on; ECO_LOG_INFO at first. */
void eco_log_set_level(enum eco_log_level level);
void eco_log(enum eco_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
