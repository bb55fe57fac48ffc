package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/python"
)

// This file has what the host programs of the CuTe DSL call around their kernels: argparse, whose arguments have their
// default values here, functools.partial, and streams.

// hostModule returns a function of such a module, or nil.
func hostModule(path, name string) Value {
	call := map[string]func(r *runner, c *arguments) (Value, error){
		"functools.partial": partial, "argparse.ArgumentParser": newParser,
		"testing.benchmark": func(*runner, *arguments) (Value, error) {
			return nil, errorf(cute.CodeSyntax, "time is not measured: the program runs here, and not on a GPU")
		},
		"time.time": noTime, "time.perf_counter": noTime, "pipeline.NamedBarrier": newBarrier,
		"testing.JitArguments": newStream, "cuda.CUstream": newStream, "cuda.current_stream": newStream,
		"torch.current_stream": newStream, "torch.default_stream": newStream, "cuda.Stream": newStream,
	}[lastPart(path)+"."+name]
	if call != nil {
		return &Builtin{Name: path + "." + name, Call: call, Always: true}
	}
	if name == "CUstream_flags" {
		return &ClassType{Name: name, names: map[string]*cell{"CU_STREAM_DEFAULT": {v: Int(0)}}}
	}
	return nil
}

// newStream returns a stream. All work is done when a call returns.
func newStream(*runner, *arguments) (Value, error) {
	return &Instance{&ClassType{Name: "CUstream"}, map[string]Value{"cuda_stream": Int(0)}}, nil
}

// noTime is time.time(): no time passes here.
func noTime(r *runner, _ *arguments) (Value, error) {
	r.noteAt(r.here.Pos(), "time is not measured: it is 0")
	return Float(0), nil
}

// newBarrier is pipeline.NamedBarrier(barrier_id, num_threads): a barrier of all threads of a block.
func newBarrier(_ *runner, c *arguments) (Value, error) {
	n, known := integerOf(c.take("num_threads"))
	b := &Instance{&ClassType{Name: "NamedBarrier"}, make(map[string]Value)}
	wait := func(r *runner, _ *arguments) (Value, error) {
		if r.kernel != nil && known && n != volume(r.kernel.block) {
			return nil, errorf(cute.CodeSyntax, "a barrier of %d of the %d threads of a block is not run", n,
				volume(r.kernel.block))
		}
		return None{}, r.syncThreads()
	}
	for _, name := range []string{"arrive_and_wait", "sync"} {
		b.attrs[name] = &Builtin{Name: name, Call: wait, Always: true}
	}
	return b, nil
}

// partial is functools.partial(f, ARGS).
func partial(_ *runner, c *arguments) (Value, error) {
	if len(c.pos) == 0 {
		return nil, python.TypeError("type 'partial' takes at least one argument")
	}
	return &Builtin{Name: "functools.partial", Always: true, Call: func(r *runner, more *arguments) (Value, error) {
		all := &arguments{pos: append(append([]Value(nil), c.pos[1:]...), more.pos...)}
		for _, k := range c.keys {
			if !more.has(k.Name) {
				all.keys = append(all.keys, k)
			}
		}
		all.keys = append(all.keys, more.keys...)
		return r.applyTo(c.pos[0], all)
	}}, nil
}

// newParser is argparse.ArgumentParser().
func newParser(*runner, *arguments) (Value, error) {
	p := &argumentParser{args: &Instance{&ClassType{Name: "Namespace"}, make(map[string]Value)}}
	parser := &Instance{&ClassType{Name: "ArgumentParser"}, make(map[string]Value)}
	for name, call := range map[string]func(r *runner, c *arguments) (Value, error){
		"add_argument": p.add, "parse_args": p.parse, "error": func(r *runner, c *arguments) (Value, error) {
			text, err := r.str(Tuple(c.pos))
			if err == nil {
				err = python.Raise("SystemExit", "%s", text)
			}
			return nil, err
		},
	} {
		parser.attrs[name] = &Builtin{Name: name, Call: call, Always: true}
	}
	return parser, nil
}

// An argumentParser has the arguments of a program with their default values. missing is the first one without any.
type argumentParser struct {
	args    *Instance
	missing string
}

// add is add_argument(NAMES, default=, type=, action=, dest=).
func (p *argumentParser) add(r *runner, c *arguments) (Value, error) {
	name := ""
	for _, v := range c.pos {
		text, _ := v.(Str)
		if strings.HasPrefix(string(text), "--") || name == "" {
			name = string(text)
		}
	}
	key := strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
	if dest, ok := c.take("dest").(Str); ok {
		key = string(dest)
	}
	v, convert := c.take("default"), c.take("type")
	required := c.take("required") == Bool(true) || !strings.HasPrefix(name, "-") && v == nil
	if required && p.missing == "" {
		p.missing = name
	}
	switch action := c.take("action"); {
	case v != nil:
	case action == Str("store_true"), action == Str("store_false"):
		v = Bool(action == Str("store_false"))
	default:
		v = None{}
	}
	var err error
	if text, ok := v.(Str); ok && convert != nil {
		v, err = r.apply(convert, text)
	}
	p.args.attrs[key] = v
	return None{}, err
}

// parse is parse_args(): there is no command line.
func (p *argumentParser) parse(*runner, *arguments) (Value, error) {
	if p.missing != "" {
		return nil, errorf(cute.CodeName, "the argument %s of the program has no default value: write the value into the program",
			p.missing)
	}
	return p.args, nil
}
