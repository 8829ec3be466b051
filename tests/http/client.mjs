// Starts real daemons for the tests, each with a folder of its own, and speaks HTTP with them.
// The program is $ECOTONE, by default build/release/ecotone.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { addressOf, binary, spawnDaemon } from './daemon.mjs';

export const program = binary;
export { sleep };

// A sanitizer makes the program slow; what is measured in seconds gets as much more of them.
const image = readFileSync(program);
export const slowness = image.includes('__tsan_init') || image.includes('__asan_init') ? 10 : 1;

const biome = (id, bias = 0) => `
      - {id: ${id}, name: Biome ${id}, colour: "#${(id * 1234577 + 0x102030).toString(16).slice(-6).padStart(6, '0')}",
         bias: ${bias}, height: {base: ${60 + id}, amplitude: 20, wavelength: 100, octaves: 3}}`;

const biomes = (count) => Array.from({ length: count }, (_, i) => biome(i)).join('');

/** A small world, a small world with text as its seed, and one whose tiles take long. */
export const WORLDS = `
worlds:
  - name: small
    title: A small world
    generator: patchwork
    seed: 9007199254740993
    minzoom: 9
    home: {x: -100, z: 200, zoom: 16}
    height_range: {low: 40, high: 90}
    noise: {wavelength: 200, octaves: 2}
    blend: {spacing: 8, padding: 8}
    biomes:${biomes(4)}
  - name: text-seed
    generator: patchwork
    seed: "hello world"
    minzoom: 0
    biomes:${biomes(2)}
  - name: heavy
    generator: patchwork
    seed: -1
    minzoom: 9
    noise: {wavelength: 64, octaves: 12}
    blend: {spacing: 2, padding: 16}
    biomes:${biomes(24)}
`;

// What a failed test left running would keep the runner waiting for ever.
const running = new Set();
const end_all = () => running.forEach(({ child }) => child.kill('SIGKILL'));
after(end_all);
process.on('exit', end_all);

export class Daemon {
  /** `server` and `cache` are lines of YAML; `options` go on the command line. */
  constructor({ server = '', cache = '', worlds = WORLDS, options = [], folder, shell, env } = {}) {
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'ecotone-http-'));
    this.config = join(this.folder, 'ecotone.yaml');
    this.cache = join(this.folder, 'tiles.sqlite');
    writeFileSync(this.config, `server: {listen: "127.0.0.1:0"${server && `, ${server}`}}\n` +
      `cache: {path: "${this.cache}"${cache && `, ${cache}`}}\n${worlds}`);
    const { child, ended } = spawnDaemon({ args: [...options, this.config], shell, env });
    this.child = child;
    this.log = '';
    this.out = '';
    child.stderr.on('data', (text) => { this.log += text; });
    child.stdout.on('data', (text) => { this.out += text; });
    running.add(this);
    this.exited = ended.then((end) => {
      running.delete(this);
      return end;
    });
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  }

  static async start(options) {
    const daemon = new Daemon(options);
    daemon.url = await addressOf(daemon.child, []);
    daemon.port = Number(new URL(daemon.url).port);
    return daemon;
  }

  /** One request; the answer has status, headers, body (bytes) and, by getters, text and json. */
  get(path, { method = 'GET', headers = {}, agent = this.agent } = {}) {
    return new Promise((done, fail) => {
      const request = http.request({ host: '127.0.0.1', port: this.port, path, method, headers, agent });
      request.on('response', (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', fail);
        response.on('end', () => {
          const body = Buffer.concat(parts);
          done({
            status: response.statusCode,
            headers: response.headers,
            body,
            get text() { return body.toString('utf8'); },
            get json() { return JSON.parse(body.toString('utf8')); },
          });
        });
      });
      request.on('error', fail);
      request.end();
    });
  }

  /** Sends bytes as they are and collects what comes until the daemon closes, or `ms` are over. */
  raw(bytes, { ms = 2000 * slowness, end = false } = {}) {
    return new Promise((done) => {
      const socket = net.connect(this.port, '127.0.0.1');
      const parts = [];
      let failure = null;
      const timer = setTimeout(() => socket.destroy(), ms);
      socket.on('data', (part) => parts.push(part));
      socket.on('error', (error) => { failure = error; });
      socket.on('close', () => {
        clearTimeout(timer);
        done({ text: Buffer.concat(parts).toString('latin1'), failure });
      });
      socket.write(bytes);
      if (end) {
        socket.end();
      }
    });
  }

  async health() {
    return (await this.get('/healthz')).json;
  }

  /** Waits until a number of /healthz fulfils the condition. */
  async until(condition, what) {
    const limit = Date.now() + 10000 * slowness;
    for (;;) {
      const health = await this.health();
      if (condition(health)) {
        return health;
      }
      assert.ok(Date.now() < limit, `${what} does not come: ${JSON.stringify(health)}`);
      await sleep(5);
    }
  }

  /** Waits until the log holds what `pattern` describes: it comes by a pipe of its own, after replies too. */
  async says(pattern) {
    const limit = Date.now() + 10000 * slowness;
    while (!pattern.test(this.log)) {
      assert.ok(Date.now() < limit, `${pattern} is not said:\n${this.log}`);
      await sleep(5);
    }
  }

  signal(name) {
    this.signalled = true;
    this.child.kill(name);
  }

  /** Ends the daemon as an operator does, unless that was begun already; it must go in peace. */
  async stop() {
    this.agent.destroy();
    if (!this.signalled) {
      this.signal('SIGTERM');
    }
    const { code, signal } = await this.exited;
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, this.log);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A tile's path. The world's middle is tile (2^(zoom-1), 2^(zoom-1)). */
export const tile = (world, layer, zoom, x, y, ending = '.png') =>
  `/tiles/${world}/${layer}/${zoom}/${x}/${y}${ending}`;

/** The `index`th tile east of the middle of the world that takes long; at @2x four times as long. */
export const heavyTile = (index, ending = '.png') =>
  tile('heavy', 'relief', 18, 131072 + index, 131072, ending);
