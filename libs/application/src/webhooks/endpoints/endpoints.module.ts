import { Module } from '@nestjs/common';
import { ListsModule } from '../../read-models/lists.module.js';
import { StreamsModule } from '../../streams/streams.module.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointInputs } from './endpoint-inputs.js';
import { EndpointViews } from './endpoint-views.js';
import {
  DeleteEndpointHandler,
  GetEndpointHandler,
  ListEndpointsHandler,
  RegisterEndpointHandler,
  RotateEndpointSecretHandler,
  UpdateEndpointHandler,
} from './endpoint.handlers.js';
import { PauseEndpointHandler, ResumeEndpointHandler } from './endpoint-pause.handlers.js';
import { HeaderSealingReactor } from './header-sealing.reactor.js';
import { HeaderSecrets } from './header-secrets.js';
import { OldestPending } from './oldest-pending.js';
import { SigningSecrets } from './signing-secrets.js';

@Module({
  imports: [StreamsModule, ListsModule],
  providers: [
    EndpointDirectory,
    EndpointHealth,
    EndpointInputs,
    EndpointViews,
    OldestPending,
    SigningSecrets,
    HeaderSecrets,
    HeaderSealingReactor,
    RegisterEndpointHandler,
    UpdateEndpointHandler,
    RotateEndpointSecretHandler,
    PauseEndpointHandler,
    ResumeEndpointHandler,
    DeleteEndpointHandler,
    GetEndpointHandler,
    ListEndpointsHandler,
  ],
  exports: [EndpointDirectory, EndpointHealth, OldestPending, SigningSecrets, HeaderSecrets, HeaderSealingReactor],
})
export class EndpointsModule {}
