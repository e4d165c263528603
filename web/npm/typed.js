// The engine with a method for whoever has objects at hand rather than JSON text.

import { Engine as TextEngine } from './pkg/hashrange_wasm.js'

export class Engine extends TextEngine {
  call(operation, request = {}) {
    return JSON.parse(this.send(operation, JSON.stringify(request)))
  }
}
