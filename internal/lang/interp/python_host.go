package interp

import (
	"maps"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/python"
)

// This file implements functions that host programs of the CuTe DSL call around their kernels: argparse,
// functools.partial, and streams.

// moduleCalls are the functions of such modules.
var moduleCalls map[string]func(r *runner, c *arguments) (Value, error)

func init() {
	moduleCalls = map[string]func(r *runner, c *arguments) (Value, error){
		"dataclasses.field": newField, "dataclasses.replace": replaceFields, "dataclasses.asdict": asDictionary,
		"dataclasses.astuple": asTupleOf, "dataclasses.is_dataclass": isData,
		"collections.namedtuple": namedTuple, "copy.copy": copyValue(0), "copy.deepcopy": copyValue(maxCalls),
		"functools.partial": partial, "argparse.ArgumentParser": newParser,
		"testing.benchmark": func(*runner, *arguments) (Value, error) {
			return nil, errorf(cute.CodeSyntax, "time is not measured: the program runs here, and not on a GPU")
		},
		"time.time": noTime, "time.perf_counter": noTime,
		"testing.JitArguments": newStream, "cuda.CUstream": newStream, "cuda.current_stream": newStream,
		"torch.current_stream": newStream, "torch.default_stream": newStream, "cuda.Stream": newStream,
	}
}

// hostModule returns a function of such a module, or nil.
func hostModule(path, name string) Value {
	if call := moduleCalls[lastPart(path)+"."+name]; call != nil {
		return &Builtin{Name: path + "." + name, Call: call, Always: true}
	}
	switch lastPart(path) + "." + name {
	case "enum.auto":
		return &Builtin{Name: "enum.auto", Call: func(*runner, *arguments) (Value, error) { return autoValue, nil }}
	case "dataclasses.FrozenInstanceError":
		return exceptions[name]
	}
	if name == "CUstream_flags" {
		return &ClassType{Name: name, names: map[string]*cell{"CU_STREAM_DEFAULT": {v: Int(0)}}}
	}
	return nil
}

// newStream returns a stream. Streams have no effect, because all work is done when a call returns.
func newStream(*runner, *arguments) (Value, error) {
	return &Instance{&ClassType{Name: "CUstream"}, map[string]Value{"cuda_stream": Int(0)}}, nil
}

// noTime implements time.time(). No time passes here.
func noTime(r *runner, _ *arguments) (Value, error) {
	r.noteAt(r.here.Pos(), "time is not measured: it is 0")
	return Float(0), nil
}

// partial implements functools.partial(f, ARGS).
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

// newParser implements argparse.ArgumentParser().
func newParser(*runner, *arguments) (Value, error) {
	p := &argumentParser{
		args: &Instance{&ClassType{Name: "Namespace"}, make(map[string]Value)}, options: make(map[string]*option),
	}
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

// An argumentParser contains the declared arguments of a program.
type argumentParser struct {
	args    *Instance
	options map[string]*option // by name; the names begin with -
	places  []*option          // the positional arguments
}

// An option is one argument of an argumentParser.
type option struct {
	name, key string
	convert   Value // the type; nil if the value is a text
	fixed     Value // the value of store_true, store_false or store_const; nil if the option takes a value
	required  bool
}

// add implements add_argument(NAMES, default=, type=, action=, dest=).
func (p *argumentParser) add(r *runner, c *arguments) (Value, error) {
	o := &option{}
	for _, v := range c.pos {
		text, _ := v.(Str)
		if strings.HasPrefix(string(text), "-") {
			p.options[string(text)] = o
		}
		if strings.HasPrefix(string(text), "--") || o.name == "" {
			o.name = string(text)
		}
	}
	o.key = strings.ReplaceAll(strings.TrimLeft(o.name, "-"), "-", "_")
	if dest, ok := c.take("dest").(Str); ok {
		o.key = string(dest)
	}
	v := c.take("default")
	o.convert = c.take("type")
	o.required = c.take("required") == Bool(true)
	if !strings.HasPrefix(o.name, "-") {
		p.places, o.required = append(p.places, o), v == nil
	}
	if action, _ := c.take("action").(Str); action == "store_true" || action == "store_false" {
		o.fixed = Bool(action == "store_true")
		if v == nil {
			v = Bool(action == "store_false")
		}
	}
	if v == nil {
		v = None{}
	}
	var err error
	if text, ok := v.(Str); ok {
		v, err = r.convertOption(o, text)
	}
	p.args.attrs[o.key] = v
	return None{}, err
}

func (r *runner) convertOption(o *option, text Str) (Value, error) {
	if o.convert == nil {
		return text, nil
	}
	return r.apply(o.convert, text)
}

// parse implements parse_args() and parse_args(list).
func (p *argumentParser) parse(r *runner, c *arguments) (Value, error) {
	words := r.Args
	if len(c.pos) > 0 {
		list, err := r.elements(c.pos[0])
		if err != nil {
			return nil, err
		}
		words = nil
		for _, v := range list {
			text, _ := v.(Str)
			words = append(words, string(text))
		}
	}
	places := p.places
	for len(words) > 0 {
		name, value, joined := strings.Cut(words[0], "=")
		o := p.options[name]
		switch {
		case o == nil && strings.HasPrefix(words[0], "--"), o == nil && len(places) == 0:
			return nil, python.Raise("SystemExit", "error: unrecognized arguments: %s", strings.Join(words, " "))
		case o == nil:
			o, value, places, joined = places[0], words[0], places[1:], true
		case o.fixed != nil:
			p.args.attrs[o.key], o.required = o.fixed, false
			words = words[1:]
			continue
		}
		if !joined {
			if words = words[1:]; len(words) == 0 {
				return nil, python.Raise("SystemExit", "error: argument %s: expected one argument", name)
			}
			value = words[0]
		}
		words = words[1:]
		v, err := r.convertOption(o, Str(value))
		if err != nil {
			return nil, err
		}
		p.args.attrs[o.key], o.required = v, false
	}
	return p.args, p.complete()
}

// complete returns an error if a required argument has no value.
func (p *argumentParser) complete() error {
	for _, o := range p.places {
		if o.required {
			return noArgument(o)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.options)) {
		if o := p.options[name]; o.required {
			return noArgument(o)
		}
	}
	return nil
}

func noArgument(o *option) error {
	e := errorf(cute.CodeName, "the argument %s of the program has no value", o.name)
	e.hint = "write the arguments of the program after --: girih run FILE -- " + o.name
	if strings.HasPrefix(o.name, "-") {
		e.hint += " VALUE"
	}
	return e
}
