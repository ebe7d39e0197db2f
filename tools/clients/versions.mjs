export const VERSIONS = {
  /** OpenAPI Generator for Java, Kotlin, Go, Python and TypeScript. */
  generator: '7.23.0',
  /** An older one still in use, for Java only. */
  formerGenerator: '7.14.0',
  npm: { '@redocly/cli': '2.77.0', 'openapi-typescript': '7.13.0', typescript: '5.9.3' },
  python: { pydantic: '2.14.4', 'python-dateutil': '2.9.0.post0', 'typing-extensions': '4.16.0', urllib3: '2.8.0' },
};
