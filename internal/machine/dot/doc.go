// Package dot adds products as instructions do, bit for bit: c + a[0]·b[0] + a[1]·b[1] + ... for codes of the operands.
// The models describe the observed behaviour of a card, which the PTX ISA does not specify; package truth compares the
// models with a card.
package dot
