package tensormap

// Load returns the code that a load writes into shared memory for an element: the same code, but for TFloat32 and
// TFloat32FTZ the nearest number with 10 bits after the point (ties to even), and 0x7fffe000 for every NaN. The fill
// for elements outside the tensor is not rounded (seen on an H200, conformance/hardware/h200_tensormaps.jsonl; the CUDA
// Driver API does not describe the rounding).
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
