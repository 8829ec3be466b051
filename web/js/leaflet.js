// Leaflet's own minified build is no module: it leaves itself in a global.

import '../leaflet/leaflet.js';

export const L = globalThis.leaflet;
