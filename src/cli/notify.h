/*
 * What the service manager is told, by the protocol of sd_notify(3): datagrams to the socket that
 * NOTIFY_SOCKET names. Its library opens a socket for every message, which the daemon gives up the
 * right to; here one stays open. Where there is no such variable nothing is sent.
 * Thread rule: one thread.
 */
#ifndef ECO_CLI_NOTIFY_H
#define ECO_CLI_NOTIFY_H

#include <stdint.h>

/* Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID out of the environment. Before threads start
 * and before any right is given up. */
void eco_notify_open(void);
/* How often the service manager wants to hear that all is well, in ms, half of what it allows; 0:
 * never. */
unsigned eco_notify_watchdog_ms(void);

/* `status` is what `systemctl status` shows. */
void eco_notify_ready(const char *status);
/* Between this and eco_notify_ready the configuration is read. */
void eco_notify_reloading(void);
void eco_notify_stopping(const char *status);
void eco_notify_well(void);

#endif
