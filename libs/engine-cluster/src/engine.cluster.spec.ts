import { BackupRefused } from '@ports/engine.port';
import { ClusterEngine } from './engine.cluster.js';

describe('the cluster engine', () => {
  it('leaves backups to the tools of its servers, and says so', async () => {
    const refused = new ClusterEngine([]).backUp();
    await expect(refused).rejects.toThrow(BackupRefused);
    await expect(refused).rejects.toThrow(/back up EventStoreDB with its own tools/);
  });
});
