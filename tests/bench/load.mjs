// How the daemon stands load, beside what is asked of it. Prints a table and writes FOLDER/load.json.
// usage: load.mjs FOLDER     FOLDER/serve.json, of serve.sh, is shown too where it is there
// Environment: ECOTONE, the program; SECONDS_EACH (4)
// Hits are measured with wrk; the rest, from sockets that are connected before, here.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Daemon, heavyTile, sleep, tile } from '../http/client.mjs';

const run = promisify(execFile);
const folder = process.argv[2];
const seconds = Number(process.env.SECONDS_EACH ?? 4);
const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
const rows = [];
const report = (what, asked, measured, met) => {
  rows.push({ what, asked, measured, met });
  console.error(`${what}: ${measured}`);
};
const ms = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
const sorted = (list) => [...list].sort((a, b) => a - b);
const quantile = (list, q) => sorted(list)[Math.min(list.length - 1, Math.floor(q * list.length))];

/** wrk over `paths`: requests a second, errors, p50, p99 and slowest in ms. */
async function hits(daemon, paths, duration = seconds) {
  const list = join(daemon.folder, 'paths');
  writeFileSync(list, paths.map((path) => `${path}\n`).join(''));
  const { stdout } = await run('wrk', ['-t1', '-c8', `-d${Math.ceil(duration)}s`, '-s', script, `http://127.0.0.1:${daemon.port}`],
    { env: { ...process.env, PATHS: list } });
  const [requests, micros, errors, p50, p99, slowest] = /^result (.*)$/m.exec(stdout)[1].split(' ').map(Number);
  return { rate: requests * 1e6 / micros, errors, p50: p50 / 1000, p99: p99 / 1000, slowest: slowest / 1000 };
}

/** A connection that sends one request at a time; `get` gives status and ms to the reply's first byte. */
async function connection(daemon) {
  const socket = net.connect({ port: daemon.port, host: '127.0.0.1', noDelay: true });
  await new Promise((done, fail) => socket.once('connect', done).once('error', fail));
  let waiting = null;
  let left = 0;
  socket.on('data', (part) => {
    if (left > 0) {
      left -= part.length;
    } else {
      // The daemon sends its headers in one piece.
      const end = part.indexOf('\r\n\r\n');
      const length = part.indexOf('Content-Length: ');
      waiting.first = performance.now();
      waiting.status = Number(part.latin1Slice(9, 12));
      left = parseInt(part.latin1Slice(length + 16, length + 26), 10) - (part.length - end - 4);
    }
    if (left <= 0) {
      const { first, begin, status, done } = waiting;
      waiting = null;
      done({ status, ms: first - begin });
    }
  });
  socket.on('close', () => waiting?.done({ status: 0, ms: performance.now() - waiting.begin }));
  socket.on('error', () => {});
  return {
    socket,
    get: (path) => new Promise((done) => {
      waiting = { begin: performance.now(), done };
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }),
  };
}

const connections = (daemon, count) => Promise.all(Array.from({ length: count }, () => connection(daemon)));
const close = (all) => all.forEach(({ socket }) => socket.destroy());

async function warm(daemon) {
  const paths = Array.from({ length: 64 }, (_, i) => tile('small', 'relief', 18, 131072 + i % 8, 131072 + (i >> 3)));
  for (const path of paths) {
    await daemon.get(path);
  }
  return paths;
}

async function beside_cold_tiles() {
  const daemon = await Daemon.start();
  const paths = await warm(daemon);
  const alone = await hits(daemon, paths);
  const clients = await connections(daemon, 200);
  let next = 0;
  let going = true;
  const before = await daemon.health();
  const cold = clients.map(async ({ get }) => {
    while (going) {
      await get(heavyTile(next++ % 4096 + 1000 * Math.floor(next / 4096)));
    }
  });
  await sleep(200);
  const beside = await hits(daemon, paths);
  const after = await daemon.health();
  going = false;
  close(clients);
  await Promise.all(cold);
  report(`cached hits while 200 cold tiles wait or render (${after.renders - before.renders} were made)`,
    'p99 < 5 ms, slowest < 50 ms',
    `p99 ${ms(beside.p99)}, slowest ${ms(beside.slowest)}, ${beside.rate.toFixed(0)}/s (alone ${ms(alone.p99)}, ${ms(alone.slowest)}, ${alone.rate.toFixed(0)}/s)`,
    beside.errors === 0 && beside.p99 < 5 && beside.slowest < 50);
  await daemon.stop();
}

async function one_cold_tile() {
  const daemon = await Daemon.start();
  const clients = await connections(daemon, 60);
  const sum = async () => Number(/^ecotone_render_seconds_sum (\S+)$/m.exec((await daemon.get('/metrics')).text)[1]);
  const ratios = [];
  let renders = 0;
  for (let round = 0; round < 9; round++) {
    const path = heavyTile(100 + round, '@2x.png');
    const before = [await daemon.health(), await sum()];
    const replies = await Promise.all(clients.map(({ get }) => get(path)));
    const after = [await daemon.health(), await sum()];
    renders += after[0].renders - before[0].renders;
    ratios.push(Math.max(...replies.map(({ ms: each }) => each)) / (1000 * (after[1] - before[1])));
    if (replies.some(({ status }) => status !== 200)) {
      throw new Error('not all were answered');
    }
  }
  report('60 clients, one cold tile, 9 times', 'one render, slowest < 1.2 renders',
    `${renders / 9} renders, slowest ${quantile(ratios, 0.5).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    renders === 9 && quantile(ratios, 0.5) < 1.2);
  close(clients);
  await daemon.stop();
}

async function full_queue() {
  const daemon = await Daemon.start({ server: 'queue: 64' });
  const clients = await connections(daemon, 1000);
  const asked = [];
  for (const [i, { get }] of clients.entries()) {
    asked.push(get(heavyTile(i)));
    // What comes back is read meanwhile, so that its time is not that of all the writing.
    if (i % 25 === 24) {
      await new Promise((done) => setImmediate(done));
    }
  }
  const replies = await Promise.all(asked);
  const refused = replies.filter(({ status }) => status === 503).map(({ ms: each }) => each);
  const served = replies.filter(({ status }) => status === 200);
  const { in_flight } = await daemon.until((health) => health.in_flight === 0, 'the end of all flights');
  report('1,000 requests at once into a queue of 64', '503 within 50 ms, all end, in flight 0',
    `${refused.length} x 503: p50 ${ms(quantile(refused, 0.5))}, p99 ${ms(quantile(refused, 0.99))}, slowest ${ms(Math.max(...refused))}; ${served.length} x 200, ${1000 - refused.length - served.length} others, in flight ${in_flight}`,
    refused.length + served.length === 1000 && Math.max(...refused) < 50 && in_flight === 0);
  close(clients);
  await daemon.stop();
}

async function slow_sockets() {
  const daemon = await Daemon.start();
  const paths = await warm(daemon);
  const results = { without: [], among: [] };
  for (let round = 0; round < 9; round++) {
    results.without.push(await hits(daemon, paths, 1));
    const slow = await connections(daemon, 500);
    slow.forEach(({ socket }) => socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '));
    // Spread over the second, or the writing itself would hold up the others.
    let turn = 0;
    const drip = setInterval(() => {
      for (let i = 0; i < 5; i++) {
        slow[turn++ % slow.length].socket.write('a');
      }
    }, 10);
    results.among.push(await hits(daemon, paths, 1));
    clearInterval(drip);
    close(slow);
    await sleep(100);
  }
  const [without, among] = [results.without, results.among].map((list) => quantile(list.map(({ p99 }) => p99), 0.5));
  report('500 slow sockets, a byte a second each', 'p99 of others unchanged',
    `p99 ${ms(without)} without, ${ms(among)} among them, medians of 9`, among < 1.25 * without + 0.5);
  await daemon.stop();
}

function served() {
  const file = join(folder, 'serve.json');
  if (!existsSync(file)) {
    return;
  }
  const [nginx, memory, store] = JSON.parse(readFileSync(file, 'utf8'));
  report('hit from memory, wrk -t1 -c32', '1.0 of nginx, p99 <= nginx + 1 ms',
    `${memory.of_nginx.toFixed(2)}; p99 ${ms(memory.p99_us / 1000)}, nginx ${ms(nginx.p99_us / 1000)}`,
    memory.of_nginx >= 1 && memory.p99_us <= nginx.p99_us + 1000);
  report('hit from SQLite, memory cache off', '0.6 of nginx', store.of_nginx.toFixed(2), store.of_nginx >= 0.6);
}

const busy = loadavg()[0];
served();
await beside_cold_tiles();
await one_cold_tile();
await full_queue();
await slow_sockets();
console.log(`${cpus().length} processors, load ${busy.toFixed(1)} at the start`);
console.log('| what | asked | measured | |\n|---|---|---|---|');
rows.forEach(({ what, asked, measured, met }) => console.log(`| ${what} | ${asked} | ${measured} | ${met ? 'met' : 'not met'} |`));
writeFileSync(join(folder, 'load.json'), `${JSON.stringify(rows, null, 2)}\n`);
process.exit(0);
