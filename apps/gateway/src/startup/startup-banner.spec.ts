import { startupBanner } from './startup-banner.js';

const made = {
  projectId: 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0',
  projectName: 'default',
  apiKey: 'sk_0123456789abcdefghijklmnop',
  adminPassword: 'correct horse',
};
const curlOf = (address: string) => /curl -sS (\S+)/.exec(startupBanner(made, address))?.[1];

describe('the curl line of a first start', () => {
  it('has an address that no shell takes for a pattern', () => {
    expect(curlOf('http://[::1]:3000')).toBe("'http://[::1]:3000/v1/messages'");
    expect(curlOf('http://[fe80::1%eth0]:3000')).toBe("'http://[fe80::1%eth0]:3000/v1/messages'");
  });

  it('has any other address as it is', () => {
    expect(curlOf('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000/v1/messages');
  });
});
