// Package dot adds products as instructions do, bit for bit: c + a[0]·b[0] + a[1]·b[1] + ... for codes of the operands.
// The models are what was seen of a card, of which the PTX ISA says nothing; package truth compares the two.
package dot
