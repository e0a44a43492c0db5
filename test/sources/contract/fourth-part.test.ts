import { describePart } from './contract.ts';

describePart(3);
