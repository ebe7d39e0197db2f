import { specFor } from '@testing/decider-spec';
import { adminPasswordDecider, type AdminPasswordEvent } from './admin-password.decider.js';

const { given } = specFor(adminPasswordDecider);
const first: AdminPasswordEvent = { type: 'AdminPasswordSet', at: 1, hash: 'one' };

describe("the admin's password", () => {
  it('starts a generation with every change', () => {
    given().when({ type: 'SetAdminPassword', at: 1, hash: 'one', replacing: null }).then(first);
    given(first)
      .when({ type: 'SetAdminPassword', at: 2, hash: 'two', replacing: 'one' })
      .thenState({ hash: 'two', generation: 2 });
  });

  it('is set without the one before when none is asked for', () =>
    given(first)
      .when({ type: 'SetAdminPassword', at: 2, hash: 'two', replacing: null })
      .then({ type: 'AdminPasswordSet', at: 2, hash: 'two' }));

  it('never goes back in time', () =>
    given({ ...first, at: 9 })
      .when({ type: 'SetAdminPassword', at: 2, hash: 'two', replacing: null })
      .then({ type: 'AdminPasswordSet', at: 9, hash: 'two' }));

  it('is not replaced by somebody who knew only the one before', () =>
    given(first, { type: 'AdminPasswordSet', at: 2, hash: 'two' })
      .when({ type: 'SetAdminPassword', at: 3, hash: 'three', replacing: 'one' })
      .thenRejects('admin_password_invalid', { param: 'current_password' }));
});
