import { specFor } from '@testing/decider-spec';
import { keyPointerDecider, type KeyPointed } from './key-pointer.decider.js';

const { given } = specFor(keyPointerDecider);
const target = { projectId: 'prj_1', keyId: 'key_1' };
const pointed: KeyPointed = { type: 'KeyPointed', at: 1, ...target };

describe('a key pointer', () => {
  it('names project and key of a secret', () => {
    given()
      .when({ type: 'PointKey', at: 1, ...target })
      .then(pointed);
    given(pointed).thenState(target);
  });

  it('pointing the same way changes nothing', () =>
    given(pointed)
      .when({ type: 'PointKey', at: 2, ...target })
      .thenNothing());
});
