// Starts the real daemon for a test, on a free port of 127.0.0.1 and with a cache of its own.
//
//   const daemon = await startDaemon({ t });          // ends with the test `t`, or by daemon.stop()
//   await fetch(daemon.url + 'healthz');

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const binary = resolve(
  process.env.ECOTONE || process.env.ECOTONE_BIN || join(root, 'build/release/ecotone'),
);

const START_LIMIT = 20000; // milliseconds; a sanitizer's build is slow
const STOP_LIMIT = 20000;

/**
 * Spawns `ecotone serve` with these `args`. `shell`: a command that is run first, in the same
 * process. Gives the child, whose output is text, and `ended`: a promise of { code, signal }.
 */
export function spawnDaemon({ args, env = {}, shell }) {
  const command = shell
    ? ['/bin/sh', '-c', `${shell}; exec "$@"`, 'sh', binary, 'serve', ...args]
    : [binary, 'serve', ...args];
  const child = spawn(command[0], command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  ended.catch(() => {}); // a program that cannot be started says so through addressOf
  return { child, ended };
}

/** The address that the daemon prints once it listens; an error with its words if it ends first. */
export function addressOf(child, output) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no address after ${START_LIMIT} ms:\n${output.join('')}`)),
      START_LIMIT,
    );
    const look = (chunk) => {
      output.push(chunk);
      const found = /https?:\/\/[^\s/]+:\d+\//.exec(output.join(''));
      if (found) {
        clearTimeout(timer);
        resolve(found[0]);
      }
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`the daemon ended with ${signal ?? code}:\n${output.join('')}`));
    });
  });
}

/**
 * `config`: path of the configuration; `args`: further options of `ecotone serve`; `cache`: path of
 * the cache, to keep it over two starts (otherwise it is made and removed here); `t`: the test.
 * Gives { url, child, output, stop }: `output` holds all that was printed so far; `stop(signal)`
 * ends the daemon and gives { code, signal }.
 */
export async function startDaemon({ t, config, args = [], cache, env = {} } = {}) {
  const folder = cache ? null : await mkdtemp(join(tmpdir(), 'ecotone-test-'));
  const output = [];
  const options = ['--listen', '127.0.0.1:0', '--cache', cache ?? join(folder, 'cache.db'), ...args];
  const { child, ended } = spawnDaemon({
    args: [...options, config ?? join(root, 'config/ecotone.yaml')],
    env,
  });

  async function stop(signal = 'SIGTERM') {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
    }
    const last = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
    const result = await ended;
    clearTimeout(last);
    if (folder) {
      await rm(folder, { recursive: true, force: true });
    }
    return result;
  }

  t?.after(() => stop());
  try {
    return { url: await addressOf(child, output), child, output, stop };
  } catch (error) {
    if (child.pid) {
      await stop('SIGKILL');
    } else if (folder) {
      await rm(folder, { recursive: true, force: true });
    }
    throw error;
  }
}
