/** Explains to a stranger how to check a dispute pack. docs/certificates.md has the same rules. */
export const HOW_TO_CHECK = `How to check this dispute pack
==============================

The short way: open the address in "verifyUrl" of "dispute pack.json". That page shows
the certificate, and takes an audio file to say whether the licence covers it.

Without trust in that page: all signatures are Ed25519 (RFC 8032) in base64url. The public
keys are at "keysUrl": choose the key whose "id" is the "keyId" of what is signed, or null
if there is no "keyId". Texts are UTF-8. JSON arrays are written without spaces.

1. The certificate. Its signature covers this JSON array, with a key of "certificates":
   [id, sample.id, sample.title, sample.pack, creator.id, creator.displayName,
    licensee.id, licensee.displayName, licenceVersion, issuedAt, fileSha256,
    aiTraining, origin, keyId]
   The last three are left out if the certificate has none.

2. The file. Its SHA-256 is "fileSha256" of the certificate. "copies" lists the tagged
   copies that Offcut made from it.

3. The purchase in the log. "hash" is the SHA-256 of these bytes, one after the other:
   the 32 bytes of "previousHash", then the JSON array
   [position, stream, version, type, recordedAt as milliseconds since 1970]
   of "log.event", a line feed, its "data", a line feed, its "metadata".
   "data" names the certificate, the buyer, the sample and the SHA-256 of the file.

4. The signed head. Offcut signs the newest hash of the log once an hour. The signature
   of "log.head" covers this JSON array, with a key of "logHeads":
   [hour, position, hash, previous, signedAt, keyId]
   "keyId" is left out if there is none. "head" is null if no head followed the purchase
   yet: download the pack again after the next full hour.

5. The statement. It says that the hashes of the log lead from the purchase to that head.
   The signature of "log.statement" covers this JSON array, with a key of "logHeads":
   ["placed", log.event.position, log.hash, head.hour, head.position, head.hash,
    signedAt, keyId]
   Without a head, or without a keyId, null stands in its place. The events between the
   two belong to other people and are not shown. An auditor can follow them in the log.

"returnedAt" says when the purchase was undone and its credits returned, if it was.

"waveforms.original" is the licensed file, up to its first minute. "waveforms.compared" was
measured in the browser of the licensee. Offcut has not received that file, and does not
confirm what it is.
`;
