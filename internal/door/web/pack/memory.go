package pack

import (
	"encoding/binary"
	"fmt"
)

// A memory is the data of a module as it lies in memory when the module starts.
type memory []byte

// maxMemory bounds the initial data, in bytes.
const maxMemory = 1 << 28

// readData reads a data section: segments at constant places.
func readData(body []byte) (memory, error) {
	var m memory
	r := reader{b: body}
	for range r.uint() {
		kind, op := r.uint(), r.byte()
		at, end := r.int(), r.byte()
		seg := r.bytes(int(r.uint()))
		if r.err != nil {
			return nil, r.err
		}
		if kind != 0 || op != opI32Const || end != opEnd || at < 0 || at > maxMemory {
			return nil, fmt.Errorf("a data segment is not at a constant place below %d", maxMemory)
		}
		if need := int(at) + len(seg); need > len(m) {
			m = append(m, make([]byte, need-len(m))...)
		}
		copy(m[at:], seg)
	}
	return m, r.err
}

// minGap is how many zeros are worth a new segment.
const minGap = 128

// data writes the memory as a data section; zeros are left out.
func (m memory) data() []byte {
	var n uint64
	var out []byte
	for i := 0; i < len(m); {
		if m[i] == 0 {
			i++
			continue
		}
		end, zeros := i, 0
		for k := i; k < len(m) && zeros < minGap; k++ {
			if m[k] == 0 {
				zeros++
				continue
			}
			end, zeros = k+1, 0
		}
		out = append(out, 0, opI32Const)
		out = appendInt(out, int64(i))
		out = append(out, opEnd)
		out = binary.AppendUvarint(out, uint64(end-i))
		out = append(out, m[i:end]...)
		i = end
		n++
	}
	return append(binary.AppendUvarint(nil, n), out...)
}

// u32 and u64 read numbers at a place; outside of the memory they are 0.
func (m memory) u32(at int) uint32 {
	if at < 0 || at > len(m)-4 {
		return 0
	}
	return binary.LittleEndian.Uint32(m[at:])
}

func (m memory) u64(at int) uint64 {
	if at < 0 || at > len(m)-8 {
		return 0
	}
	return binary.LittleEndian.Uint64(m[at:])
}

func (m memory) put(at int, v uint32) { binary.LittleEndian.PutUint32(m[at:], v) }
