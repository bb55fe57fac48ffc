package copies

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/card/command"
	"girih/internal/file"
	"girih/kernel/copy"
)

// Copy is girih-gpu copy.
var Copy = command.Command{
	Name: "copy",
	Args: "SRC DST --type T [options]",
	Help: "copy between two layouts of one size, and compare with a device copy",
	Run:  runCopy,
	More: copyHelp,
}

const copyHelp = `
Plans the copy of a tensor under the layout SRC to one under DST, runs it, holds the result to the definition
(element i of DST is element i of SRC), and times it beside a device copy of the same bytes.

  girih-gpu copy '(4096,8192):(8192,1)' '(4096,8192):(1,4096)' --type f16
  girih-gpu copy '(3,1000):(1,3)' '(3,1000):(1000,1)' --type u8 --plan
  girih-gpu copy '4096:1' 'Sw<3,4,3> o 0 o 4096:1' --type f32 --print -o copy.ptx
  girih-gpu copy '(M,N{div=8}):(N,1)' '(M,N):(1,M)' --type f16 --set M=4095,N=4096

Names and ? in the layouts are integers that are known at run time only: one kernel is for all their values, and has
them as parameters. What is known of them makes it fast: {div=8}, {<=64}; {i64} is for more than 32 bits.

  --set M=64,N=32     values of run-time integers; without any, --plan and --print are for all of them
  --type T            of the elements; 8 to 128 bits, such as f16, u8, b128
  --src-align N       bytes that divide the address of SRC at offset 0, --dst-align that of DST; 256 if missing
  --way W             direct, blocks or rows, in the place of what the planner chooses; so are, in bytes,
  --vector N          the widest access, --flight N what a thread has under way, --tile N the runs of a tile,
  --threads N         and the threads of a block; --order src has blocks follow each other along SRC
  --rounds N          of the measurement, 15 if missing
  --counters          the sectors that the card counts, by its ncu, beside those that are predicted
  --device N          the card, from 0
  --plan              the plan and what it predicts, which needs no card
  --print             the kernel as PTX, which needs no card; -o FILE writes it there
  --json              one object

Sectors and wavefronts are predicted from the addresses of eight blocks, instructions from the text.
Exit codes: 0 all is right, 1 something is wrong or could not run, 2 wrong usage.
`

// A copyRequest is what was asked for.
type copyRequest struct {
	src, dst           string
	o                  copy.Options
	device, rounds     int
	plan, print, json  bool
	counters           bool
	out, typ, way, ord string
	set                []string
}

func parseCopy(c *command.Call) (*copyRequest, error) {
	r := &copyRequest{}
	layouts, err := c.Flags(2, func(fs *flag.FlagSet) {
		fs.StringVar(&r.typ, "type", "", "")
		fs.Func("set", "", func(text string) error {
			r.set = append(r.set, strings.Split(text, ",")...)
			return nil
		})
		fs.Int64Var(&r.o.SrcAlign, "src-align", 0, "")
		fs.Int64Var(&r.o.DstAlign, "dst-align", 0, "")
		r.knobs(fs)
		fs.IntVar(&r.rounds, "rounds", 15, "")
		fs.IntVar(&r.device, "device", 0, "")
		fs.BoolVar(&r.plan, "plan", false, "")
		fs.BoolVar(&r.print, "print", false, "")
		fs.StringVar(&r.out, "o", "", "")
		fs.BoolVar(&r.json, "json", false, "")
		fs.BoolVar(&r.counters, "counters", false, "")
	})
	switch {
	case err != nil:
		return nil, err
	case len(layouts) != 2:
		return nil, command.UsageError(fmt.Sprintf("expected two layouts, SRC and DST, found %d", len(layouts)))
	case r.typ == "":
		return nil, command.UsageError("which elements: --type f16")
	case r.out != "" && !r.print:
		return nil, command.UsageError("-o is where --print writes to")
	case r.rounds < 1:
		return nil, command.UsageError(fmt.Sprintf("--rounds is 1 at least, found %d", r.rounds))
	}
	r.src, r.dst = layouts[0], layouts[1]
	r.o.Way, r.o.Order = copy.Way(r.way), copy.Order(r.ord)
	if r.typ == "b128" || r.typ == "u128" {
		r.o.Bytes = 16
		return r, nil
	}
	t, err := dtype.Parse(r.typ)
	if err != nil {
		return nil, err
	}
	if t.Bits()%8 != 0 {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "copy", Msg: fmt.Sprintf("%v has %d bits: expected whole bytes", t, t.Bits()),
			Hint: "recast the layouts to u8: recast(layout, bits, 8)",
		}
	}
	r.o.Bytes = int64(t.Bits() / 8)
	return r, nil
}

// knobs are the options that overrule the planner.
func (r *copyRequest) knobs(fs *flag.FlagSet) {
	fs.StringVar(&r.way, "way", "", "")
	fs.StringVar(&r.ord, "order", "", "")
	fs.Int64Var(&r.o.Vector, "vector", 0, "")
	fs.Int64Var(&r.o.Flight, "flight", 0, "")
	fs.Int64Var(&r.o.Tile, "tile", 0, "")
	fs.Int64Var(&r.o.Threads, "threads", 0, "")
}

// parseInner reads a layout, with or without a swizzle and an offset before it.
func parseInner(text string) (cute.Inner, error) {
	parts := strings.SplitN(text, " o ", 3)
	if len(parts) != 3 {
		return cute.Parse(text)
	}
	w, err := cute.ParseSwizzle(strings.TrimSpace(parts[0]))
	if err != nil {
		return nil, err
	}
	offset, err := cute.ParseTuple(parts[1])
	if err != nil {
		return nil, err
	}
	l, err := cute.Parse(parts[2])
	if err != nil {
		return nil, err
	}
	return cute.NewComposed(w, offset, l)
}

func runCopy(ctx context.Context, c *command.Call) error {
	r, err := parseCopy(c)
	if err != nil {
		return err
	}
	p, err := r.layouts()
	if err != nil {
		return err
	}
	k, err := p.Kernel()
	if err != nil {
		return err
	}
	if r.print {
		if r.out != "" {
			return file.Replace(r.out, []byte(k.Module.String()), 0o644)
		}
		_, err := fmt.Fprint(c.Stdout, k.Module)
		return err
	}
	if p.src == nil && r.plan {
		if r.json {
			return json.NewEncoder(c.Stdout).Encode(p.Plan)
		}
		_, err := fmt.Fprint(c.Stdout, p.Plan)
		return err
	}
	f, err := p.PredictKernel(k)
	if err != nil {
		return err
	}
	out := copyOutcome{Plan: p.Plan, Predicted: f}
	if !r.plan {
		d, err := c.Open(r.device)
		if err != nil {
			return err
		}
		defer d.Close()
		b := &copyBench{d: d, rounds: r.rounds}
		defer b.close()
		if err := b.one(ctx, &out, p.src, p.dst); err != nil {
			return err
		}
		if r.counters {
			out.Measured = countCopy(ctx, append(c.Args, "--counters=false", "--rounds=1"))
		}
	}
	if r.json {
		return json.NewEncoder(c.Stdout).Encode(out)
	}
	out.print(c.Stdout)
	if out.Wrong != "" {
		return command.ErrFailed
	}
	return nil
}
