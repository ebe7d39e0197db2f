import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { CustomerDirectory } from './customer-directory.js';
import { DeleteCustomerHandler, GetCustomerHandler, SaveCustomerHandler, UpdateCustomerHandler } from './customer.handlers.js';

@Module({
  imports: [StreamsModule, ClaimsModule],
  providers: [CustomerDirectory, SaveCustomerHandler, UpdateCustomerHandler, DeleteCustomerHandler, GetCustomerHandler],
  exports: [CustomerDirectory],
})
export class CustomersModule {}
