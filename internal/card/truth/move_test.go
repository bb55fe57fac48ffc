package truth

import (
	"strings"
	"testing"

	"girih/atom"
	"girih/ptx"
)

// executeCopy simulates a card that copies as the table of x says.
func executeCopy(x *transfer, b Batch) []uint32 {
	var out []uint32
	words := x.registers + x.stays
	for i := range b.Cases {
		image := func(o int) []uint32 { return b.In[b.In[4*i+o]:] }
		order := make([]int, x.threads)
		for t := range order {
			order[t] = int(image(2)[2*t] / 16)
		}
		source := image(0)
		if x.c.From.Space == atom.Registers {
			source = image(1)
		}
		d := make([]uint32, x.threads*words)
		for t := range x.threads {
			copy(d[t*words:], image(1)[t*x.registers:(t+1)*x.registers])
		}
		for to, from := range x.expectedTable(order) {
			w := to/32/x.registers*words + to/32%x.registers
			if x.c.To.Space != atom.Registers {
				w = to/32/x.stays*words + x.registers + to/32%x.stays
			}
			if from >= 0 {
				d[w] = d[w]&^(1<<(to%32)) | source[from/32]>>(from%32)&1<<(to%32)
			}
		}
		out = append(out, d...)
	}
	return out
}

// Every copy that is an instruction of sm_90 has a probe. A card whose results agree with the table passes the probe; a
// card that exchanges two bits fails.
func TestCopy(t *testing.T) {
	t.Parallel()
	n := 0
	for c := range atom.Copies() {
		p, err := Copy(c, "sm_90")
		if err != nil {
			continue
		}
		n++
		if _, err := ptx.Parse(p.Module().String()); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		x := &transfer{c: c}
		*x = *transferOf(t, c)
		outs := [][]uint32{executeCopy(x, p.Batches[0])}
		if f := p.Check(outs); !f.Agrees {
			t.Errorf("%s: %+v", c.Name, f)
		}
		wrong := *x
		wrong.dst = append([]int64(nil), x.dst...)
		last := len(wrong.dst) - 1
		wrong.dst[0], wrong.dst[last] = wrong.dst[last], wrong.dst[0]
		outs[0] = executeCopy(&wrong, p.Batches[0])
		if f := p.Check(outs); f.Agrees || !strings.Contains(f.First, "comes from") {
			t.Errorf("%s with two bits exchanged: %+v", c.Name, f)
		}
	}
	if n != 28 {
		t.Errorf("%d copies", n)
	}
}

func transferOf(t *testing.T, c atom.Copy) *transfer {
	t.Helper()
	x, _, err := newTransfer(c, "sm_90")
	if err != nil {
		t.Fatal(err)
	}
	return x
}
