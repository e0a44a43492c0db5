import { describePart } from './contract.ts';

describePart(1);
