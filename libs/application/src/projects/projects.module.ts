import { Module } from '@nestjs/common';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { EventStoreApiKeys } from './api-keys.event-store.js';
import { ApiKeys } from './api-keys.js';
import { KeyIssue } from './key-issue.js';
import { KeyUsage } from './key-usage.js';
import { ListApiKeysHandler } from './list-api-keys.handler.js';
import { ProjectDirectory } from './project-directory.js';
import {
  ChangeProjectHandler,
  CreateProjectHandler,
  GetProjectHandler,
  IssueApiKeyHandler,
  RotateApiKeyHandler,
} from './project.handlers.js';
import { SecretMint } from './secret-mint.js';

@Module({
  imports: [StreamsModule, ListsModule],
  providers: [
    ProjectDirectory,
    KeyUsage,
    SecretMint,
    KeyIssue,
    { provide: ApiKeys, useClass: EventStoreApiKeys },
    CreateProjectHandler,
    ChangeProjectHandler,
    IssueApiKeyHandler,
    RotateApiKeyHandler,
    GetProjectHandler,
    ListApiKeysHandler,
  ],
  exports: [ApiKeys, ProjectDirectory, KeyUsage, SecretMint],
})
export class ProjectsModule {}
