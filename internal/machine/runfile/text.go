package runfile

import (
	"bytes"
	"encoding/json"
)

// Text returns f in the form that [Parse] reads: one line for each field, and for each element of a list of objects.
func (f *File) Text() []byte {
	compact, _ := json.Marshal(f) // strings, numbers and lists always encode
	var b bytes.Buffer
	quoted := false
	depth, tall := 0, 0 // open brackets, and the number of outermost brackets with a line for each element
	line := func() {
		b.WriteByte('\n')
		for range tall {
			b.WriteString("  ")
		}
	}
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		if quoted {
			b.WriteByte(c)
			if c == '\\' {
				i++
				b.WriteByte(compact[i])
			}
			quoted = c != '"'
			continue
		}
		switch c {
		case '"':
			quoted = true
			b.WriteByte(c)
		case '{', '[':
			depth++
			b.WriteByte(c)
			if depth == 1 || depth == 2 && c == '[' && compact[i+1] == '{' {
				tall++
				line()
			}
		case '}', ']':
			if depth == tall {
				tall--
				line()
			}
			depth--
			b.WriteByte(c)
		case ',':
			b.WriteByte(c)
			if depth == tall {
				line()
			} else {
				b.WriteByte(' ')
			}
		case ':':
			b.WriteString(": ")
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// MarshalJSON writes a JSON number, or a string if JSON has no such number.
func (n Number) MarshalJSON() ([]byte, error) {
	if n != "" && (n[0] == '-' || n[0] >= '0' && n[0] <= '9') && json.Valid([]byte(n)) {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}
