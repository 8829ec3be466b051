// The server's routes, all relative to the page, so that any prefix before them works.

/** An answer that is no success, in words for people. */
export class ServerError extends Error {
  constructor(message, status = 0, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter; // seconds; 0: not said
  }
}

async function toError(response) {
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  let message = `The server answered ${response.status}.`;
  try {
    message = (await response.json()).error.message || message;
  } catch {
    // Something between here and the server answered in its own way; the status has to do.
  }
  return new ServerError(message, response.status, retryAfter);
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options?.signal?.aborted) {
      throw error;
    }
    throw new ServerError('The server does not answer.');
  }
  if (!response.ok) {
    throw await toError(response);
  }
  return response;
}

function query(parameters) {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

export async function fetchWorlds() {
  return (await (await request('api/worlds')).json()).worlds;
}

export async function fetchPoint(world, { x, z, seed, zoom }, signal) {
  const path = `api/worlds/${encodeURIComponent(world)}/point${query({ x, z, seed, zoom })}`;
  return (await request(path, { signal })).json();
}

/** Asks for a tile once more, only to learn what the server says of it. */
export async function probeTile(url) {
  await (await request(url, { cache: 'no-cache' })).arrayBuffer();
}

/**
 * A Leaflet template; every value that is not in braces is safe in a URL and in a template. The hash
 * of the world lets the browser keep a tile for good; that of another seed is not known here.
 */
export function tileTemplate(world, layer, seed) {
  const path = [world.name, layer].map(encodeURIComponent).join('/');
  const v = seed === null ? world.hash : null;
  return `tiles/${path}/{z}/{x}/{y}{r}.png${query({ seed, v })}`;
}
