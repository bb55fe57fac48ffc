// Package dtype describes the element types of GPU kernels: their width in bits, their names in CUTLASS, PTX, the CuTe
// DSL, Triton and PyTorch, and what each code means, exactly.
//
//	f64 f32 tf32 f16 bf16                      IEEE 754, and two shortened forms of f32
//	e5m2 e4m3 ue4m3 ue8m0 e3m2 e2m3 e2m1       8, 6 and 4 bits; ue4m3 and ue8m0 have no sign
//	e5m2fnuz e4m3fnuz                          AMD's on gfx942: no infinity, no negative zero, NaN is the code of -0
//	s64 s32 s16 s8 s6 s4 s2                    integers in two's complement
//	u64 u32 u16 u8 u6 u4 u3 u2 u1              natural numbers
//	b128 b64 b32 b16 b8 b6 b4 b2 b1            bits without a meaning
//
// A type prints by its PTX name, and [Parse] reads every other name too. Complex types are left out: they are pairs.
//
// # Codes and values
//
// A code is an element's bits in the low end of a uint64, the rest 0. [Type.Decode] and [Type.DecodeInt] give the value
// of a code, exactly or not at all. [Type.Encode] and [Type.EncodeInt] round to the nearest value of the type, and to
// the even code if two are equally near. A number above the largest value becomes infinity if the type has one (f64,
// f32, tf32, f16, bf16, e5m2) and is refused otherwise. [Type.EncodeSaturating] never refuses a number: it is what PTX
// does with cvt.rn.satfinite.
//
// The layout of the bits follows OCP's specifications of 8-bit floats (e4m3 is E4M3FN: no infinity, NaN is 0x7f and
// 0xff) and of microscaling formats (the 6- and 4-bit types have neither infinity nor NaN), and of the PTX ISA,
// "Alternate Floating Point Data Formats". A tf32 is the upper 19 of 32 bits.
package dtype
