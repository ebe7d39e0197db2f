export const WORDS = {
  about: 'What a client sends as Authorization: Bearer. A key opens this project alone, as far as its scopes go.',
  add: 'Make a key',
  edit: 'Edit',
  save: 'Save',
  rotate: 'Rotate',
  rotateAbout: 'A new key is made, with the same scopes. The old one works on for so long:',
  revoke: 'Revoke',
  revokeAbout: 'Requests with this key are refused within five seconds. This cannot be undone.',
  made: 'The new key’s secret.',
  scopes: 'Scopes',
  expires: 'Expires (empty: never)',
  none: 'No key yet: without one no client can call the API.',
} as const;
