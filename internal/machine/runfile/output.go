package runfile

import (
	"encoding/binary"
	"fmt"
	"strings"

	"girih/dtype"
)

// BufferNumbers returns the numbers of the buffers with the given names. It returns an [*Error] if no buffer has a
// name.
func (f *File) BufferNumbers(names []string) ([]int, error) {
	var list []int
	for _, name := range names {
		i := f.buffer(name)
		if i < 0 {
			return nil, f.noBuffer("out", name)
		}
		list = append(list, i)
	}
	return list, nil
}

// Npy returns the current content of buffers, each as a .npy file of NumPy with the elements in one dimension. Types
// that NumPy lacks become unsigned integers of the same size.
func (r *Run) Npy(buffers []int) [][]byte {
	var list [][]byte
	for _, i := range buffers {
		data, t := r.buffers[i].Bytes(), r.inputs.buffers[i].t
		name, _ := npyName(t)
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", name, len(data)/(t.Bits()/8))
		// The header ends with a line feed, at a multiple of 64 bytes.
		const before = len(npyMagic) + 4
		header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n"
		b := append([]byte(npyMagic), 1, 0)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
		b = append(b, header...)
		list = append(list, append(b, data...))
	}
	return list
}

// Types names the buffers whose element type NumPy lacks, and the type that Npy writes instead.
func (in *Inputs) Types(buffers []int) []string {
	var list []string
	for _, i := range buffers {
		t := in.buffers[i].t
		if name, exact := npyName(t); !exact {
			list = append(list, fmt.Sprintf("%s of type %v is written as %s: NumPy does not have that type",
				in.file.Buffers[i].Name, t, name))
		}
	}
	return list
}

// npyName returns NumPy's name of a type, or of unsigned integers of its size.
func npyName(t dtype.Type) (name string, exact bool) {
	for name, is := range npyTypes {
		if is == t && name[0] != 'b' && name[0] != 'V' {
			return order(name), true
		}
	}
	return order(fmt.Sprintf("u%d", t.Bits()/8)), t.Kind() == dtype.Raw
}

// order returns the name of a type with its byte order.
func order(name string) string {
	if name[1] == '1' {
		return "|" + name
	}
	return "<" + name
}
