package tensormap

// Load returns what a load writes into shared memory for an element with a code: the code, but for TFloat32 and
// TFloat32FTZ the nearest number that has 10 bits behind the point, of two that are as near the one that ends
// in 0, and 0x7fffe000 for every NaN. What stands for elements outside the tensor is not rounded (seen on an H200,
// conformance/hardware/h200_tensormaps.jsonl; the CUDA Driver API has the types without a word on it).
func (t Type) Load(code uint64) uint64 {
	if t != TFloat32 && t != TFloat32FTZ {
		return code
	}
	const exponent, fraction, low = 0x7f800000, 0x007fffff, 0x1fff
	switch w := uint32(code); {
	case w&exponent == exponent && w&fraction != 0:
		return 0x7fffe000
	case w&exponent == exponent:
		return uint64(w)
	default:
		return uint64((w + low/2 + w>>13&1) &^ low)
	}
}
