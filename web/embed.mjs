// Writes the C file that embeds the page and the default configuration in the binary: the table of
// src/http/assets.h, with the bytes beside it in one file that the assembler takes in unread.
//
//   node web/embed.mjs build/release/assets.c      (from the root of the project)
//
// What the page loads lies in a folder named by a hash of it all, so that browsers may keep it for good:
// another page has other addresses. They are relative, so nothing in the files depends on the folder but
// the page itself, which names it.
//
// Equal inputs give equal outputs, wherever and whenever they are made.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

const CONFIG = 'config/ecotone.yaml';
const LEAFLET = 'web/node_modules/leaflet';

/** The page's own files, by their path in URLs. */
function pageFiles() {
  const own = (folder, ending) =>
    readdirSync(`web/${folder}`)
      .filter((name) => ending.test(name))
      .map((name) => ({ path: `${folder}${name}`, file: `web/${folder}${name}` }));
  return [...own('', /\.(html|svg)$/), ...own('css/', /\.css$/), ...own('js/', /\.js$/), ...own('lang/', /\.json$/)];
}

/** What the page uses of Leaflet: no pictures, since it has neither markers nor a layer button. */
function leafletFiles() {
  return [
    { path: 'leaflet/leaflet.js', file: `${LEAFLET}/dist/leaflet.js` },
    { path: 'leaflet/leaflet.css', file: `${LEAFLET}/dist/leaflet.css` },
    { path: 'leaflet/LICENSE.txt', file: `${LEAFLET}/LICENSE` },
  ];
}

function load({ path, file }) {
  // The source map is not embedded; a reference to it would be a 404 in the developer tools.
  const data = path.endsWith('.js')
    ? Buffer.from(readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''))
    : readFileSync(file);
  return { path, data };
}

/** Puts what lies in folders into the one of the hash, and the page's links with it. */
function intoFolder(files) {
  const inFolder = ({ path }) => path.includes('/');
  const hash = createHash('sha256');
  files.forEach(({ path, data }) => hash.update(`${path} ${data.length} `).update(data));
  const folder = hash.digest('hex').slice(0, 16);
  const linked = (html) => html.replace(/(\s(?:src|href)=")((?:js|css|leaflet)\/)/g, `$1${folder}/$2`);
  return files.map((file) => {
    const data = file.path.endsWith('.html') ? Buffer.from(linked(file.data.toString())) : file.data;
    return { path: inFolder(file) ? `${folder}/${file.path}` : file.path, data, immutable: inFolder(file) };
  });
}

function pack({ path, data, immutable }) {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
  const gzip = gzipSync(data, { level: 9 });
  gzip[9] = 255; // the "operating system" of the gzip header: unknown, the same everywhere
  return { path, type, immutable, data, gzip: gzip.length < data.length ? gzip : null };
}

/** Appends to one blob and says at which offset. */
class Blob {
  #parts = [];
  #size = 0;

  add(bytes) {
    const offset = this.#size;
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return offset;
  }

  bytes() {
    return Buffer.concat(this.#parts);
  }
}

function row(asset, blob) {
  const data = `BYTES + ${blob.add(asset.data)}, ${asset.data.length}`;
  const gzip = asset.gzip ? `BYTES + ${blob.add(asset.gzip)}, ${asset.gzip.length}` : '0, 0';
  return `    {${JSON.stringify(asset.path)}, ${JSON.stringify(asset.type)}, ${data}, ${gzip}, ${asset.immutable}},`;
}

function source(rows, blobFile, configFile, configSize) {
  const incbin = (label, file, tail) =>
    `        "${label}:\\n"\n        ".incbin \\"${file}\\"\\n"\n        "${tail}\\n"\n`;
  return `/* Made by web/embed.mjs. */
#include "http/assets.h"

#define BYTES eco_asset_bytes

__asm__(".section .rodata\\n"
        ".balign 16\\n"
${incbin('eco_asset_bytes', blobFile, '.byte 0')}        ".globl eco_default_config\\n"
${incbin('eco_default_config', configFile, '.byte 0')}        ".previous\\n");

extern const unsigned char eco_asset_bytes[];

const struct eco_asset eco_assets[] = {
${rows.join('\n')}
};
const size_t eco_assets_count = sizeof(eco_assets) / sizeof(eco_assets[0]);
const size_t eco_default_config_size = ${configSize};
`;
}

const byPath = (a, b) => (a.path < b.path ? -1 : 1);

function main(output) {
  if (!output?.endsWith('.c')) {
    throw new Error('usage: node web/embed.mjs OUTPUT.c');
  }
  const blob = new Blob();
  const assets = intoFolder([...pageFiles(), ...leafletFiles()].map(load).sort(byPath)).map(pack).sort(byPath);
  const rows = assets.map((asset) => row(asset, blob));

  const config = readFileSync(CONFIG);
  const blobFile = output.replace(/\.c$/, '.bin');
  const configFile = output.replace(/\.c$/, '.yaml');
  writeFileSync(blobFile, blob.bytes());
  writeFileSync(configFile, config);
  writeFileSync(output, source(rows, blobFile, configFile, config.length));
}

main(process.argv[2]);
