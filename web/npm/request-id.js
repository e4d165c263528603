// Names for answers, as DynamoDB gives them in `x-amzn-RequestId`: 52 digits and upper-case letters.

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
const LENGTH = 52

/** @returns {string} A name that no other answer has. */
export function requestId() {
  let id = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) id += ALPHABET[byte & 31]
  return id
}
