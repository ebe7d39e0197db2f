import { specFor } from '@testing/decider-spec';
import { installationDecider, type InstallationEvent } from './installation.decider.js';

const { given } = specFor(installationDecider);
const begun: InstallationEvent = { type: 'InstallationBegun', at: 1, projectId: 'prj_1', keyId: 'key_1' };
const completed: InstallationEvent = { type: 'InstallationCompleted', at: 2 };
const begin = { type: 'Begin', at: 1, projectId: 'prj_1', keyId: 'key_1' } as const;

describe('an installation', () => {
  it('begins once, with the ids of the first one to begin it', () => {
    given().when(begin).then(begun);
    given(begun)
      .when({ ...begin, projectId: 'prj_2' })
      .thenNothing();
    given(begun).thenState({ projectId: 'prj_1', keyId: 'key_1', completed: false });
  });

  it('is completed once', () => {
    given(begun).when({ type: 'Complete', at: 2 }).then(completed);
    given(begun, completed).when({ type: 'Complete', at: 3 }).thenNothing();
  });
});
