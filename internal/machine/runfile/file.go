package runfile

import "girih/ptx/sim"

// These limits bound a description.
const (
	MaxText    = 8 << 20 // the most bytes of the text
	MaxItems   = 1 << 20 // the most numbers in a list, and elements of other lists
	MaxBytes   = 1 << 30 // the most bytes of all buffers
	MaxParam   = 32764   // the most bytes of a parameter, as in PTX
	maxBuffers = 1 << 12
	maxParams  = 1 << 12
)

// A File is a description of a run. The tags of its fields are the format:
//
//	json    the name; omitempty if it may be left out, omitzero if an empty list differs from a missing one
//	about   a description
//	of      the kinds that have the field, by another field of the struct; all kinds if there is no tag
//	need    the kinds that need the field although it has omitempty
//	enum    the allowed words
type File struct {
	Name     string   `json:"name,omitempty" about:"what the run is called"`
	PTX      string   `json:"ptx,omitempty" about:"the file of the PTX, as seen from the folder of the description"`
	Source   string   `json:"source,omitempty" about:"the file that the PTX was compiled from"`
	Entry    string   `json:"entry,omitempty" about:"the kernel; the only one if left out"`
	Grid     Extent   `json:"grid,omitempty" about:"blocks along x, y and z; 1 if left out"`
	Block    Extent   `json:"block" about:"threads of a block along x, y and z"`
	Cluster  Extent   `json:"cluster,omitempty" about:"blocks of a cluster along x, y and z; 1 if left out"`
	Shared   int64    `json:"shared,omitempty" about:"dynamic shared memory in bytes"`
	Regs     int64    `json:"registers,omitempty" about:"of a thread when the kernel begins, as ptxas -v says, for setmaxnreg; if left out, the number that .maxnreg, or .minnctapersm with .maxntid or .reqntid, determines"`
	Buffers  []Buffer `json:"buffers,omitempty" about:"global memory"`
	Params   []Param  `json:"params,omitempty" about:"the parameters, in the order of the kernel"`
	Outputs  []Output `json:"outputs,omitempty" about:"the buffers that the kernel may write; if there are any, the others have to stay as they were"`
	Findings []Fault  `json:"findings,omitempty" about:"of a broken kernel: any one of them has to be found"`
	Guessed  []string `json:"guessed,omitempty" about:"fields whose value girih sim --init made up; a field with another value now is no longer a guess, and nothing else depends on the list"`

	numbers map[string]int // the indices of the buffers by name, in a parsed File
}

// An Extent is the size of a grid, a block or a cluster: x, y and z.
type Extent [3]int64

// dim converts e for the simulator.
func (e Extent) dim() sim.Dim { return sim.Dim{X: int(e[0]), Y: int(e[1]), Z: int(e[2])} }

// A Number is a number as written: 3, -1.5, "0x1f", "inf", "nan".
type Number string

// A Buffer is bytes of global memory that begin at a multiple of 256. One of fill, file and values states its
// content. Without any of these it is not written, and reading it is a fault.
type Buffer struct {
	Name    string   `json:"name" about:"by which parameters, outputs and findings call it"`
	Type    string   `json:"type,omitempty" about:"of the elements: f32, f16, bf16, e4m3, s32, u8, ...; u8 if left out, or the type in the .npy file"`
	Bytes   int64    `json:"bytes,omitempty" about:"the size; if left out, the size of the file or the values"`
	Address Number   `json:"address,omitempty" about:"where it begins, a multiple of 16 such as 0x7f0000000000, where a recorded launch had it; the simulator chooses if left out"`
	Fill    *Fill    `json:"fill,omitempty" about:"the contents, by a rule"`
	File    string   `json:"file,omitempty" about:"the contents: a .npy file or a file of raw bytes, named relative to the folder of the description"`
	Values  []Number `json:"values,omitzero" about:"the contents: its elements, as numbers or as strings such as 0x1f, inf or nan"`
	Patches []Patch  `json:"patches,omitempty" about:"pointers, numbers and tensor maps within it"`
}

// A Fill is a rule that fills a buffer. It has a state of 64 bits, s, which starts at the seed and is stepped before
// each element: s = s*6364136223846793005 + 1442695040888963407.
type Fill struct {
	Kind  string `json:"kind" enum:"lcg bits byte none unknown" about:"lcg: ((s >> 33) % mod - sub) * 2^scale, as the type holds it exactly; bits: s >> 32 cut to the type, or s for types of 64 bits; byte: every byte is value; none: it is not written; unknown: its content is not known, and a kernel that accesses it cannot be run, so it takes no memory here: only for a buffer with an address"`
	Seed  uint64 `json:"seed,omitempty" of:"lcg bits" about:"of the state"`
	Mod   uint64 `json:"mod,omitempty" of:"lcg" need:"lcg" about:"how many numbers there are"`
	Sub   int64  `json:"sub,omitempty" of:"lcg" about:"the number that is subtracted"`
	Scale int64  `json:"scale,omitempty" of:"lcg" about:"a power of two"`
	Value int64  `json:"value,omitempty" of:"byte" about:"of every byte, 0 to 255"`
}

// A Param is a parameter of the kernel.
type Param struct {
	Kind   string `json:"kind" enum:"scalar buffer map bytes" about:"scalar: a number; buffer: the address of a buffer; map: a tensor map; bytes: a struct"`
	Type   string `json:"type,omitempty" of:"scalar map" need:"map" about:"of a number, or of the elements of a tensor"`
	Bytes  string `json:"bytes,omitempty" of:"scalar bytes" about:"in hexadecimal, in memory order"`
	Value  Number `json:"value,omitempty" of:"scalar" about:"the number, where bytes do not say it"`
	Size   int64  `json:"size,omitempty" of:"bytes" about:"in bytes; bytes that nothing else sets are 0"`
	File   string `json:"file,omitempty" of:"bytes" about:"the bytes: a .npy file, or a raw one"`
	Buffer string `json:"buffer,omitempty" of:"buffer map" need:"buffer map" about:"whose address it is"`
	Offset int64  `json:"offset,omitempty" of:"buffer map" about:"in bytes from the beginning of the buffer"`

	Mode           string  `json:"mode,omitempty" of:"map" enum:"tiled im2col" about:"of a map; tiled if left out"`
	Dims           []int64 `json:"dims,omitempty" of:"map" need:"map" about:"globalDim: the extents of the tensor in elements, from the innermost"`
	Strides        []int64 `json:"strides,omitempty" of:"map" about:"globalStrides: of the dimensions 1, 2, ..., in bytes"`
	Box            []int64 `json:"box,omitempty" of:"map" about:"boxDim in elements, of a tiled map"`
	ElementStrides []int64 `json:"element_strides,omitempty" of:"map" about:"elementStrides; ones if left out"`
	Interleave     string  `json:"interleave,omitempty" of:"map" enum:"none 16B 32B" about:"none if left out"`
	Swizzle        string  `json:"swizzle,omitempty" of:"map" about:"none, 32B, 64B or 128B; none if left out"`
	Promotion      string  `json:"l2_promotion,omitempty" of:"map" enum:"none 64B 128B 256B" about:"none if left out"`
	OOBFill        string  `json:"oob_fill,omitempty" of:"map" enum:"zero nan" about:"what elements outside of the tensor are; zero if left out"`
	Lower          []int64 `json:"lower,omitempty" of:"map" about:"pixelBoxLowerCorner, of an im2col map"`
	Upper          []int64 `json:"upper,omitempty" of:"map" about:"pixelBoxUpperCorner, of an im2col map"`
	Channels       int64   `json:"channels,omitempty" of:"map" about:"channelsPerPixel, of an im2col map"`
	Pixels         int64   `json:"pixels,omitempty" of:"map" about:"pixelsPerColumn, of an im2col map"`

	Patches []Patch `json:"patches,omitempty" of:"bytes" about:"pointers, numbers and tensor maps within the struct"`
}

// A Patch is a value within a struct or a buffer.
type Patch struct {
	At int64 `json:"at" about:"the byte where it begins"`
	Param
}

// An Output is a buffer that the kernel writes, with its expected content if one is stated. Elements are compared bit
// by bit or, if there are bounds, by |got - want| <= abs + rel*|want|.
type Output struct {
	Buffer string   `json:"buffer" about:"which one"`
	File   string   `json:"file,omitempty" about:"the expected contents: a .npy file or a file of raw bytes"`
	Values []Number `json:"values,omitzero" about:"the expected contents: its elements"`
	Rel    float64  `json:"rel,omitempty" about:"how far off an element may be, relative to the expected value"`
	Abs    float64  `json:"abs,omitempty" about:"how far off an element may be besides"`
}

// A Fault is a finding that a broken kernel must have.
type Fault struct {
	Kind string `json:"kind" about:"of the finding: read-pending, race, ..."`
	Line int64  `json:"line" about:"of the source"`
}
