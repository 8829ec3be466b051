// A PNG of 16-bit grey, as heights need it; browsers write 8 bits only.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const crcs = Array.from({ length: 256 }, (unused, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc >>> 0;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc = crcs[(crc ^ byte) & 255] ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

async function deflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** `values`: width * height numbers from 0 to 65535; `comment`: plain ASCII that says what they are. */
export async function encodeGrey16(width, height, values, comment) {
  const rows = new Uint8Array(height * (1 + 2 * width)); // each begins with filter 0
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * (1 + 2 * width) + 1;
    for (let x = 0; x < width; x++, at++) {
      rows[row + 2 * x] = values[at] >> 8;
      rows[row + 2 * x + 1] = values[at] & 255;
    }
  }
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head.set([16, 0, 0, 0, 0], 8);
  return new Blob(
    [
      new Uint8Array(SIGNATURE),
      chunk('IHDR', head),
      chunk('tEXt', new TextEncoder().encode(`Comment\0${comment}`)),
      chunk('IDAT', await deflate(rows)),
      chunk('IEND', new Uint8Array(0)),
    ],
    { type: 'image/png' },
  );
}
