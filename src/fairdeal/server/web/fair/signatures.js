// Ed25519 signatures.

/** Has the holder of this key signed the message? The browser checks it; where it cannot, as over
 * plain http, what can is fetched from the room, and holds the page up for some tenths of a second.
 * @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} message
 * @param {Uint8Array<ArrayBuffer>} signature @returns {Promise<boolean>} */
export async function isSigned(key, message, signature) {
  try {
    const theirs = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', theirs, signature, message);
  } catch {
    const noble = await import('./noble.js');
    return noble.isSigned(key, message, signature);
  }
}
