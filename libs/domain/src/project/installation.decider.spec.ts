import { specFor } from '@testing/decider-spec';
import { installationDecider, type InstallationEvent } from './installation.decider.js';

const { given } = specFor(installationDecider);
const begun: InstallationEvent = { type: 'InstallationBegun', at: 1, projectId: 'prj_1', keyId: 'key_1' };
const sealed: InstallationEvent = { type: 'InstallationSealed', at: 1, keyTrace: 'one' };
const completed: InstallationEvent = { type: 'InstallationCompleted', at: 2 };
const begin = { type: 'Begin', at: 1, projectId: 'prj_1', keyId: 'key_1' } as const;

describe('an installation', () => {
  it('begins once, with the ids of the first one to begin it', () => {
    given().when(begin).then(begun);
    given(begun)
      .when({ ...begin, projectId: 'prj_2' })
      .thenNothing();
    given(begun).thenState({ keyFingerprint: null, projectId: 'prj_1', keyId: 'key_1', completed: false });
  });

  it('is sealed once, with the key it first had', () => {
    given().when({ type: 'Seal', at: 1, keyFingerprint: 'one' }).then(sealed);
    given(sealed).when({ type: 'Seal', at: 2, keyFingerprint: 'another' }).thenNothing();
    given(sealed).thenState({ keyFingerprint: 'one', projectId: null, keyId: null, completed: false });
  });

  it('is completed once', () => {
    given(begun).when({ type: 'Complete', at: 2 }).then(completed);
    given(begun, completed).when({ type: 'Complete', at: 3 }).thenNothing();
  });

  it('knows its key, its project and its API key for good', () => {
    const known = { keyFingerprint: 'one', projectId: 'prj_1', keyId: 'key_1' };
    given(sealed, begun, completed).thenState({ ...known, completed: true });
    given(sealed, begun, completed).when({ type: 'Seal', at: 3, keyFingerprint: 'another' }).thenNothing();
  });
});
