package tensormap

import (
	"fmt"

	"girih/internal/ints"
)

// A Remark is something to know about a map that breaks none of the driver's rules.
type Remark struct {
	Text   string
	Source string // where the rule is documented
	// Fatal says that the copy cannot work: the documentation of the driver omits the rule, the instruction's has it.
	Fatal bool
	// Change says what to do about a fatal remark: the nearest legal choice. It is "" for others.
	Change string
}

// Remarks returns what to know about a map in addition to the rules: what the PTX ISA requires and the driver's
// documentation does not, features that only newer cards have, and strides that differ from a packed tensor's.
func (m Map) Remarks() []Remark { return m.remarks(m.Strides) }

// remarks returns the remarks for the given strides, which are empty if they are not known.
func (m Map) remarks(strides []int64) []Remark {
	var list []Remark
	add := func(fatal bool, source, format string, args ...any) {
		list = append(list, Remark{Text: fmt.Sprintf(format, args...), Source: source, Fatal: fatal})
	}
	if m.Mode != Tiled {
		m.columnRemarks(add)
	}
	for i := range list {
		list[i].Change = "copy 16 bytes at least"
	}
	if n := m.driverBytes(); n > blockShared {
		add(true, "seen on an H200, driver 580.159.04; no documentation has it",
			"one instruction copies %d bytes, and the driver refuses more than the %d of a block's shared memory", n, blockShared)
		list[len(list)-1].Change = fmt.Sprintf("copy at most %d bytes with one instruction: a smaller box, in %d copies",
			blockShared, 1+(n-1)/blockShared)
	}
	if m.Interleave == InterleaveNone && len(m.Steps) > 0 && m.Steps[0] != 1 {
		add(false, "CUDA Driver API, elementStrides",
			"elementStrides[0] = %d is ignored without an interleave: dimension 0 has no step", m.Steps[0])
	}
	m.strideRemarks(strides, add)
	if n, s := m.rowBytes(), m.Swizzle.Span(); n > 0 && n < s && m.Interleave == InterleaveNone {
		add(false, "CUDA Programming Guide, Tensor Memory Access, Inner dimension", "a row of the box has %d bytes, and takes the %d of the "+
			"swizzle's span: shared memory needs %d bytes for one instruction, and %d of them count for expect_tx", n, s,
			m.SharedBytes(), m.Bytes())
	}
	if m.isNew() {
		add(false, "PTX ISA, cp.async.bulk.tensor, Target ISA Notes; CUDA Driver API, cuTensorMapEncodeIm2colWide",
			"%s needs compute capability 10.0 or higher", m.newest())
	}
	if m.Type == U4Align16 {
		add(false, "CUDA Driver API, swizzle", "%s is for loads only", m.Type)
	}
	if m.Swizzle == Swizzle128BAtom32BFlip8B {
		add(false, "PTX ISA, Swizzling Modes", "%s is for loads only", m.Swizzle)
	}
	return list
}

// columnRemarks adds what is wrong with the channels and pixels of an im2col map.
func (m Map) columnRemarks(add func(fatal bool, source, format string, args ...any)) {
	if m.Interleave == InterleaveNone {
		if m.Channels == 0 {
			add(true, "PTX ISA, Tensors, Bounding Box", "channelsPerPixel is 0: nothing is copied")
		} else if bits := m.Type.Bits(); m.Channels > 0 && m.Channels < 1<<32 && m.Channels*bits%128 != 0 {
			add(true, "PTX ISA, Tensors, Bounding Box: a multiple of 16 bytes", "channelsPerPixel is %d × %s bytes = %s bytes, no multiple of 16: "+
				"take %d", m.Channels, size(bits), size(m.Channels*bits), up(m.Channels, 128/ints.GCD(bits, 128)))
		}
	}
	if m.pixels() == 0 {
		add(true, "PTX ISA, Tensors, Bounding Box", "pixelsPerColumn is 0: nothing is copied")
	}
}

// isNew reports whether the map has a mode, a swizzle or a type that compute capability 9.0 does not have.
func (m Map) isNew() bool {
	return m.Mode == Im2colWide || m.Swizzle >= Swizzle128BAtom32B && m.Swizzle.isKnown() ||
		m.Type >= U4Align8 && m.Type.isKnown()
}

// blockShared is the size in bytes of the shared memory that a block of sm_90 can have.
const blockShared = 227 << 10

// driverBytes returns the bytes of a box as the driver counts them: it divides by every step, and counts each dimension
// of an interleaved box.
func (m Map) driverBytes() int64 {
	n := m.Type.Bits()
	if m.Mode != Tiled {
		return boundedProduct(n, m.Channels, m.pixels()) / 8
	}
	for i, b := range m.Box {
		step := int64(1)
		if i < len(m.Steps) {
			step = max(1, m.Steps[i])
		}
		n = boundedProduct(n, ints.CeilDiv(b, step))
	}
	return n / 8
}

// boundedProduct multiplies numbers, and is 0 if one is beyond the limit of a rule: extents may be anything.
func boundedProduct(a int64, of ...int64) int64 {
	for _, b := range of {
		if b < 0 || b > 1<<20 || a > 1<<40 {
			return 0 // a rule reports it
		}
		a *= b
	}
	return a
}

// newest names the features that only newer cards have.
func (m Map) newest() string {
	switch {
	case m.Mode == Im2colWide:
		return m.Mode.String()
	case m.Type >= U4Align8:
		return m.Type.String()
	}
	return m.Swizzle.String()
}

// strideRemarks compares the strides with the strides of a tensor without gaps, as the driver's documentation specifies
// them. The documentation calls that a requirement; CuTe relies on the driver to accept any order (a tensor of heads,
// whose stride is smaller than the stride of the rows), and extents that overlap.
func (m Map) strideRemarks(strides []int64, add func(fatal bool, source, format string, args ...any)) {
	const source = "CUDA Driver API, globalStrides: globalStrides[i] = globalStrides[i-1] * (globalDim[i] + padding[i])"
	if len(strides) != m.Rank()-1 || m.Type.Bits() == 0 {
		return
	}
	before := int64(0)
	for i, s := range strides {
		if s <= 0 || s >= 1<<40 || m.Dims[i] < 1 || m.Dims[i] > 1<<32 {
			return
		}
		unit := m.unitBits()
		if i > 0 {
			unit = before * 8
		}
		if least := (float64(m.Dims[i])*float64(unit) + 7) / 8; float64(s) < float64(int64(least)) && m.Dims[i] > 1 {
			add(false, source, "globalStrides[%d] = %d bytes is less than the %s of dimension %d before it: the documentation writes strides "+
				"in rising order; drivers take any order, and CuTe's maps have it so", i, s, whole(least), i)
			return
		}
		before = s
	}
}

func whole(x float64) string {
	if x < 1<<53 {
		return fmt.Sprintf("%d bytes", int64(x))
	}
	return "extent"
}
