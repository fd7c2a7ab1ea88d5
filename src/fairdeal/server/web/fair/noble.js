// Ed25519 for a page to which the browser offers none.
import { sha512 } from '../vendor/noble-hashes/sha2.js';
import * as ed25519 from '../vendor/noble-ed25519/index.js';

ed25519.hashes.sha512 = sha512;

/** Has the holder of this key signed the message? Other text proves nothing.
 * @param {Uint8Array} key @param {Uint8Array} message @param {Uint8Array} signature */
export function isSigned(key, message, signature) {
  try {
    return ed25519.verify(signature, message, key);
  } catch {
    return false;
  }
}
