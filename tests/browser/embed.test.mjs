// What the binary embeds: every file the page asks for, the same bytes in every build.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { root } from '../http/daemon.mjs';

async function embed(t) {
  const folder = await mkdtemp(join(tmpdir(), 'ecotone-embed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, ['web/embed.mjs', join(folder, 'assets.c')], { cwd: root });
  const source = await readFile(join(folder, 'assets.c'), 'utf8');
  return { source: source.replaceAll(folder, ''), blob: await readFile(join(folder, 'assets.bin')) };
}

/** The rows of the table, with their bytes. */
function rowsOf({ source, blob }) {
  const row = /\{"([^"]+)", "([^"]+)", BYTES \+ (\d+), (\d+), (?:BYTES \+ (\d+)|0), (\d+), (true|false)\}/g;
  const cut = (at, size) => blob.subarray(Number(at), Number(at) + Number(size));
  return [...source.matchAll(row)].map(([, path, type, at, size, gzipAt, gzipSize, immutable]) => ({
    path,
    type,
    immutable: immutable === 'true',
    data: cut(at, size),
    gzip: gzipAt === undefined ? null : cut(gzipAt, gzipSize),
  }));
}

test('two builds embed the same bytes', async (t) => {
  const [first, second] = [await embed(t), await embed(t)];
  assert.equal(first.source, second.source);
  assert.ok(first.blob.equals(second.blob));
});

test('the table holds every file of the page, plain and gzipped without a time', async (t) => {
  const rows = rowsOf(await embed(t));
  const modules = (await readdir(`${root}web/js`)).map((name) => `js/${name}`);
  const [folder] = rows.find(({ path }) => path.endsWith('/js/main.js')).path.split('/');
  for (const path of ['css/base.css', 'lang/de.json', 'leaflet/leaflet.js', ...modules]) {
    assert.ok(rows.some((row) => row.path === `${folder}/${path}`), path);
  }
  for (const { path, type, data, gzip, immutable } of rows) {
    assert.equal(immutable, path.startsWith(`${folder}/`), path);
    assert.match(type, /^((text|image)\/|application\/json)/, path);
    if (gzip) {
      assert.ok(gunzipSync(gzip).equals(data), path);
      assert.equal(gzip.readUInt32LE(4), 0, `time of ${path}`);
    }
  }
  assert.deepEqual(rows.filter(({ immutable }) => !immutable).map(({ path }) => path), ['favicon.svg', 'index.html']);
});

test('the page differs from its source only in the folder, which is there for every link', async (t) => {
  const rows = rowsOf(await embed(t));
  const page = rows.find(({ path }) => path === 'index.html').data.toString();
  const [, folder] = /src="([0-9a-f]{16})\/js\/main\.js"/.exec(page);
  assert.equal(page.replaceAll(`${folder}/`, ''), await readFile(`${root}web/index.html`, 'utf8'));
  const links = [...page.matchAll(/\s(?:src|href)="([a-z0-9][^"]*)"/g)].map(([, path]) => path);
  for (const path of links.filter((each) => !each.startsWith('api/'))) {
    assert.ok(rows.some((row) => row.path === path), path);
  }
});

test('the page has no inline script or style and no address outside itself', async () => {
  const html = await readFile(`${root}web/index.html`, 'utf8');
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i);
  for (const [, address] of html.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
    assert.match(address, /^[a-z]+(\/[A-Za-z0-9.-]+)*(\.[a-z]+)?$/, address);
  }
});

test('every module of the first view is preloaded, and no other', async () => {
  const html = await readFile(`${root}web/index.html`, 'utf8');
  const needed = new Set(['main.js', 'around.js']);
  for (const name of needed) {
    const source = await readFile(`${root}web/js/${name}`, 'utf8');
    for (const [, next] of source.matchAll(/^(?:import|.*\bfrom) .*?'\.\/([\w-]+\.js)';$/gm)) {
      needed.add(next);
    }
    for (const [, next] of source.matchAll(/^ *from '\.\/([\w-]+\.js)';$/gm)) {
      needed.add(next);
    }
  }
  needed.delete('main.js');
  const listed = [...html.matchAll(/rel="modulepreload" href="js\/([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(listed.sort(), [...needed].sort());
});

test('the lock file names no registry', async () => {
  assert.doesNotMatch(await readFile(`${root}web/package-lock.json`, 'utf8'), /resolved|https?:/);
});
