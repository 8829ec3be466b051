// What operators see and set: the access log, levels, limits for each address, the end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Daemon, heavyTile, slowness, sleep, tile } from './client.mjs';

const COMMON = /^(\S+) - - \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000)\] "((?:[^"\\]|\\.)*)" (\d{3}|-) (\d+)$/;

/** The lines of the access log once there are `count` of them: what comes after the address. */
async function lines(daemon, count) {
  const all = () => daemon.out.split('\n').slice(1, -1);
  for (let i = 0; all().length < count; i++) {
    assert.ok(i < 500 * slowness, `${count} lines do not come:\n${daemon.out}`);
    await sleep(10);
  }
  assert.equal(all().length, count);
  return all();
}

describe('access log', () => {
  it('has a line a request, as Apache writes them', async () => {
    const daemon = await Daemon.start({ server: 'access_log: common' });
    const path = tile('small', 'relief', 18, 131072, 131072);
    const got = await daemon.get(path);
    await daemon.get(path, { method: 'HEAD' });
    await daemon.get(path, { headers: { 'If-None-Match': got.headers.etag } });
    const missing = await daemon.get('/nowhere');
    await daemon.get('/', { method: 'DELETE' });
    await daemon.get(path, { method: 'OPTIONS' });
    const found = (await lines(daemon, 6)).map((line) => COMMON.exec(line));
    assert.ok(found.every((match) => match && match[1] === '127.0.0.1'), daemon.out);
    const [day, month, rest] = found[0][2].split('/');
    const age = Date.now() - Date.parse(`${day} ${month} ${rest.replace(':', ' ')}`);
    assert.ok(age > -2000 && age < 60000 * slowness, found[0][2]);
    assert.deepEqual(found.map(([, , , request, status, bytes]) => [request, status, bytes]), [
      [`GET ${path} HTTP/1.1`, '200', `${got.body.length}`],
      [`HEAD ${path} HTTP/1.1`, '200', '0'],
      [`GET ${path} HTTP/1.1`, '304', '0'],
      ['GET /nowhere HTTP/1.1', '404', `${missing.body.length}`],
      [found[4][3], '405', found[4][5]],
      [`OPTIONS ${path} HTTP/1.1`, '204', '0'],
    ]);
    assert.match(found[4][3], /^DELETE \/ HTTP/);
    await daemon.stop();
  });

  it('says in JSON where a tile came from, and how long it took', async () => {
    const daemon = await Daemon.start({ server: 'access_log: json' });
    const path = heavyTile(0, '@2x.png');
    const begin = Date.now();
    const { body } = await daemon.get(path);
    const seconds = (Date.now() - begin) / 1000;
    await daemon.get(path, { headers: { 'User-Agent': 'a "b"', Referer: 'http://maps.example/' } });
    await daemon.get('/healthz');
    const [cold, warm, health] = (await lines(daemon, 3)).map((line) => JSON.parse(line));
    assert.deepEqual(Object.keys(cold), ['time', 'address', 'method', 'path', 'status', 'bytes', 'seconds', 'tier',
      'complete', 'referer', 'agent']);
    assert.deepEqual([cold.method, cold.path, cold.status, cold.bytes, cold.tier, cold.complete, cold.agent],
      ['GET', path, 200, body.length, 'render', true, null]);
    // The daemon may get to its clock a little after the client has it all.
    assert.ok(cold.seconds > 0 && cold.seconds <= seconds + slowness, `${cold.seconds} of ${seconds}`);
    assert.deepEqual([warm.tier, warm.agent, warm.referer], ['memory', 'a "b"', 'http://maps.example/']);
    assert.equal(health.tier, null);
    await daemon.until(({ cache }) => cache.stored === 1 && cache.pending === 0, 'the stored tile');
    daemon.signal('SIGTERM');
    await daemon.exited;
    const again = await Daemon.start({ folder: daemon.folder, server: 'access_log: json' });
    await again.get(path);
    assert.equal(JSON.parse((await lines(again, 1))[0]).tier, 'file');
    await again.stop();
  });

  it('no request writes a line of its own', async () => {
    const daemon = await Daemon.start({ server: 'access_log: combined' });
    await daemon.raw('GET /a"\\%0a%0d\x7f\xff HTTP/1.1\r\nHost: a\r\nUser-Agent: x"\x1b[31m\t\xff\r\nConnection: close\r\n\r\n');
    await daemon.raw(`GET /${'\xfe'.repeat(3000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await daemon.raw('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n');
    const found = await lines(daemon, 3);
    assert.match(found[0], /"GET \/a\\"\\\\%0a%0d\\x7f\\x/);
    assert.match(found[0], /"x\\"\\x1b\[31m\\x09\\x/);
    assert.ok(found.every((line) => /^[\x20-\x7e]+$/.test(line) && line.length < 6000), found.join('\n'));
    await daemon.stop();
  });

  it('names the client behind a trusted proxy, and no other', async () => {
    for (const [proxies, address] of [['127.0.0.1', '192.0.2.7'], ['10.0.0.0/8', '127.0.0.1']]) {
      const daemon = await Daemon.start({ server: `access_log: common, trusted_proxies: "${proxies}"` });
      await daemon.get('/', { headers: { 'X-Forwarded-For': '6.6.6.6, 192.0.2.7' } });
      await daemon.get('/', { headers: { Forwarded: 'for=192.0.2.7;proto=https' } });
      assert.ok((await lines(daemon, 2)).every((line) => line.startsWith(`${address} - `)), daemon.out);
      await daemon.stop();
    }
  });

  it('who does not read it holds up no request and not the end', async () => {
    const daemon = await Daemon.start({ server: 'access_log: combined' });
    daemon.child.stdout.pause();
    const path = `/${'x'.repeat(900)}`;
    const headers = { 'User-Agent': 'x'.repeat(500) };
    for (let i = 0; i < 48; i++) {
      await Promise.all(Array.from({ length: 50 }, () => daemon.get(path, { headers })));
    }
    const { text } = await daemon.get('/metrics');
    assert.ok(Number(/^ecotone_access_log_dropped_total (\d+)$/m.exec(text)[1]) > 0, 'lines are dropped');
    daemon.signal('SIGTERM');
    await sleep(1500 * slowness);
    daemon.child.stdout.resume();
    const begin = Date.now();
    await daemon.stop();
    assert.ok(Date.now() - begin < 1500 * slowness);
  });

  it('is turned on and off by a reload', async () => {
    const daemon = await Daemon.start();
    await daemon.get('/before');
    const config = readFileSync(daemon.config, 'utf8');
    const reload = async (text, count) => {
      writeFileSync(daemon.config, text);
      daemon.child.kill('SIGHUP');
      await daemon.says(new RegExp(`(is in effect[^]*){${count}}`));
    };
    await reload(config.replace('server: {', 'server: {access_log: common, log_level: debug, '), 1);
    await daemon.get('/during');
    assert.match((await lines(daemon, 1))[0], /"GET \/during /);
    await reload(config, 2);
    await daemon.get('/after');
    await sleep(100);
    await lines(daemon, 1);
    await daemon.stop();
  });
});

describe('log level', () => {
  it('is set by the configuration and, above it, by the command line', async () => {
    const quiet = await Daemon.start({ server: 'log_level: error' });
    await quiet.stop();
    assert.equal(quiet.log, '');
    const loud = await Daemon.start({ server: 'log_level: error', options: ['--log-level', 'info'] });
    await loud.stop();
    assert.match(loud.log, / info +ecotone /);
    assert.doesNotMatch(loud.log, / debug /);
  });
});

describe('limits of an address', () => {
  it('over its rate a client gets 429 for cold tiles, and hits as before', async () => {
    const daemon = await Daemon.start({ server: 'render_rate: 1, render_burst: 5, trusted_proxies: "127.0.0.1"' });
    const as = (client, path) => daemon.get(path, { headers: { 'X-Forwarded-For': client } });
    const path = (i) => tile('small', 'relief', 18, 131072 + i, 131072);
    const begin = Date.now();
    const replies = [];
    for (let i = 0; i < 12; i++) {
      replies.push(await as('192.0.2.1', path(i)));
    }
    const most = 5 + Math.ceil((Date.now() - begin) / 1000);
    const drawn = replies.filter(({ status }) => status === 200).length;
    assert.ok(drawn >= 5 && drawn <= most, `${drawn} of at most ${most}`);
    const limited = replies.filter(({ status }) => status === 429);
    assert.equal(limited.length, 12 - drawn);
    for (const { headers, json } of limited) {
      assert.equal(headers['retry-after'], '1');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.match(json.error.message, /your address/);
    }
    for (let i = 0; i < 50; i++) {
      assert.equal((await as('192.0.2.1', path(0))).status, 200);
    }
    const area = '/api/worlds/small/area?x0=0&z0=0&x1=16&z1=16';
    const point = '/api/worlds/small/point?x=0&z=0';
    const statuses = await Promise.all([area, area, area, point, point, point].map((one) => as('192.0.2.1', one)));
    assert.ok(statuses.slice(0, 3).some(({ status }) => status === 429));
    assert.ok(statuses.slice(3).every(({ status }) => status === 200));
    assert.equal((await as('192.0.2.2', path(11))).status, 200);
    // A picture counts by its size, here 16 tiles; points have a burst of eight times as many.
    const picture = (i) => `/static/small/blend/${i * 64},0,18/1024x1024.png`;
    assert.deepEqual([(await as('192.0.2.3', picture(1))).status, (await as('192.0.2.3', picture(2))).status], [200, 429]);
    const points = await Promise.all(Array.from({ length: 60 }, (_, i) => as('192.0.2.3', `${point}&seed=${i}`)));
    const answered = points.filter(({ status }) => status === 200).length;
    assert.ok(answered >= 40 && answered < 60, `${answered} points`);
    // A proxy that does not say for whom it asks is no client.
    for (let i = 0; i < 10; i++) {
      assert.equal((await daemon.get(path(20 + i))).status, 200);
    }
    await sleep(1100);
    assert.equal((await as('192.0.2.1', path(40))).status, 200);
    const { text } = await daemon.get('/metrics');
    assert.ok(Number(/^ecotone_requests_limited_total (\d+)$/m.exec(text)[1]) >= limited.length);
    assert.match(text, /^ecotone_http_requests_total\{route="tile",status="429"\} \d+$/m);
    await daemon.stop();
  });

  it('over its connections a client is turned away, and others are not', async () => {
    const daemon = await Daemon.start({ server: 'connections_per_address: 10' });
    const open = [];
    const connect = (from) => {
      const socket = net.connect({ port: daemon.port, host: '127.0.0.1', localAddress: from });
      socket.on('error', () => {});
      open.push(socket);
      return once(socket, 'connect').then(() => socket);
    };
    const answers = async (socket) => {
      socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
      return new Promise((done) => socket.once('data', () => done(true)).once('close', () => done(false)));
    };
    let kept = 0;
    for (let i = 0; i < 20; i++) {
      kept += await answers(await connect('127.0.0.1'));
    }
    assert.equal(kept, 10);
    assert.equal(await answers(await connect('127.0.0.2')), true);
    open[0].destroy();
    let again = false;
    for (let i = 0; i < 100 && !again; i++) {
      again = await answers(await connect('127.0.0.1'));
      await sleep(5);
    }
    assert.ok(again, 'who leaves makes room');
    const other = await connect('127.0.0.2');
    other.write('GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let text = '';
    other.setEncoding('latin1').on('data', (part) => { text += part; });
    await once(other, 'close');
    assert.ok(Number(/^ecotone_connections_turned_away_total (\d+)/m.exec(text)[1]) >= 10);
    open.forEach((socket) => socket.destroy());
    await sleep(50);
    await daemon.stop();
  });

  it('a trusted proxy may open as many as it likes', async () => {
    const daemon = await Daemon.start({ server: 'connections_per_address: 5, trusted_proxies: "127.0.0.1"' });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 40 });
    const replies = await Promise.all(Array.from({ length: 40 }, () => daemon.get('/readyz', { agent })));
    assert.ok(replies.every(({ status }) => status === 200));
    agent.destroy();
    await daemon.stop();
  });
});

describe('grace', () => {
  it('after SIGTERM all is served for a while, and balancers are told to go elsewhere', async () => {
    const grace = slowness === 1 ? 1 : 4;
    const daemon = await Daemon.start({ server: `grace: ${grace}` });
    assert.equal((await daemon.get('/readyz')).status, 200);
    const begin = Date.now();
    daemon.signal('SIGTERM');
    await daemon.says(/SIGTERM|Terminated/);
    const fresh = { agent: false };
    const ready = await daemon.get('/readyz', fresh);
    assert.equal(ready.status, 503);
    assert.equal(ready.headers['retry-after'], '1');
    assert.match((await daemon.get('/metrics', fresh)).text, /^ecotone_ready 0$/m);
    assert.equal((await daemon.get(tile('small', 'blend', 18, 131072, 131072), fresh)).status, 200);
    await daemon.stop();
    const took = Date.now() - begin;
    assert.ok(took >= 1000 * grace - 100 && took < 4000 * slowness, `${took} ms`);
  });

  it('a second signal does not wait for it', async () => {
    const daemon = await Daemon.start({ server: 'grace: 300' });
    daemon.signal('SIGTERM');
    await daemon.says(/finishing|serving/);
    daemon.signal('SIGTERM');
    const { code } = await daemon.exited;
    assert.equal(code, 128 + 15);
  });
});

describe('sandbox', () => {
  it('says what it has, and whether it is there at all', async () => {
    const wished = await Daemon.start({ server: 'sandbox: auto' });
    // A build with a sanitizer cannot be confined.
    const possible = slowness === 1;
    assert.match(wished.log, possible ? /sandbox: calls \(seccomp\)/ : /sanitizer cannot be confined; no sandbox of calls/);
    const tasks = `/proc/${wished.child.pid}/task`;
    assert.ok(readdirSync(tasks).length > 4);
    for (const thread of readdirSync(tasks)) {
      assert.match(readFileSync(join(tasks, thread, 'status'), 'utf8'), possible ? /^Seccomp:\t2$/m : /^Seccomp:\t0$/m);
    }
    await wished.stop();
    const open = await Daemon.start({ server: 'sandbox: off' });
    assert.doesNotMatch(open.log, /sandbox/);
    assert.match(readFileSync(`/proc/${open.child.pid}/status`, 'utf8'), /^Seccomp:\t0$/m);
    await open.stop();
  });

  it('no other file is opened, not even as the configuration', async () => {
    const daemon = await Daemon.start();
    await daemon.says(/sandbox/);
    const confined = daemon.log.includes('sandbox: files');
    const elsewhere = mkdtempSync(join(tmpdir(), 'ecotone-elsewhere-'));
    copyFileSync(daemon.config, join(elsewhere, 'a.yaml'));
    rmSync(daemon.config);
    symlinkSync(join(elsewhere, 'a.yaml'), daemon.config);
    daemon.child.kill('SIGHUP');
    const said = confined ? /Permission denied.*stays as it was/ : /is in effect/;
    await daemon.says(said);
    assert.equal((await daemon.get(tile('small', 'blend', 18, 131072, 131072))).status, 200);
    // A file that takes the place of the first is another matter.
    rmSync(daemon.config);
    copyFileSync(join(elsewhere, 'a.yaml'), daemon.config);
    daemon.log = '';
    daemon.child.kill('SIGHUP');
    await daemon.says(/is in effect/);
    rmSync(elsewhere, { recursive: true });
    await daemon.stop();
  });

  it('where it is required and cannot be had, the daemon does not start', async () => {
    const daemon = new Daemon({ server: 'sandbox: require' });
    const ready = await Promise.race([daemon.exited.then(() => false),
      new Promise((done) => daemon.child.stdout.once('data', () => done(true)))]);
    if (ready) {
      await daemon.says(/sandbox: files/);
      await daemon.stop();
    } else {
      await daemon.says(/no sandbox of files .*requires: .*sanitizer/);
      assert.equal((await daemon.exited).code, 1);
    }
  });
});

describe('service manager', () => {
  it('is told when the daemon is ready, reads its configuration and ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-notify-'));
    const path = join(folder, 'socket');
    // Node has no datagrams of this family.
    const manager = spawn('perl', ['-MSocket', '-e', `$| = 1; socket(S, PF_UNIX, SOCK_DGRAM, 0) or die;
      bind(S, pack_sockaddr_un("${path}")) or die; print "bound\\n";
      while (defined(recv(S, $_, 4096, 0))) { s/\\n/ /g; print "$_\\n"; }`], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    manager.stdout.setEncoding('utf8').on('data', (text) => { told += text; });
    const hears = async (pattern) => {
      for (let i = 0; !pattern.test(told); i++) {
        assert.ok(i < 1000 * slowness, `${pattern} is not told:\n${told}`);
        await sleep(10);
      }
    };
    try {
      await hears(/bound/);
      const daemon = await Daemon.start({ env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: '200000' } });
      await hears(new RegExp(`READY=1 STATUS=Serving 3 worlds on ${daemon.url}\n`));
      await hears(/WATCHDOG=1\nWATCHDOG=1\n/);
      told = '';
      daemon.child.kill('SIGHUP');
      await hears(/RELOADING=1 MONOTONIC_USEC=\d+\n(.*\n)*READY=1 /);
      writeFileSync(daemon.config, 'worlds: 1\n');
      told = '';
      daemon.child.kill('SIGHUP');
      await hears(/RELOADING=1 MONOTONIC_USEC=\d+\n(.*\n)*READY=1 STATUS=.*error/);
      await daemon.stop();
      await hears(/STOPPING=1 /);
    } finally {
      manager.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
