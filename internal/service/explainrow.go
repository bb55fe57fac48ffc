package service

import "fmt"

// explainOperation is the row of explanations.
func explainOperation() Operation {
	return Operation{
		Name: "explain", Doc: "Explain why a value is what it is, or why there is none", Programs: true,
		Words: map[string][]Word{"figures": wordsOf(DrawFormats()...)},
		Tool: &ToolDoc{
			Title:   "Explain a value",
			Brief:   "why a value is what it is, step by step, or where it fails and what works instead.",
			Smaller: "leave out figures, set top to explain the last operation only, or explain a part of the expression",
			Doc: "Why a value is what it is: of each operation the rule, the steps with their numbers and what was checked. " +
				"Of an operation that fails: the condition with the numbers that violate it, the first coordinate at which " +
				"every candidate fails, and what works instead.",
		},
		Command: &Command{
			Use:   "explain EXPR",
			Args:  []string{"expr"},
			Wrong: "explain needs one expression",
			Flags: []Flag{
				{Field: "top", Usage: "explain the last operation only"},
			},
			Long: `Explain every operation of an expression, operands first: the rule, the steps with
their numbers, what was checked, and where an operation fails the condition, the
first coordinate at which every candidate fails, and what would work instead. An
expression without an operation is explained as the value that it is.

--figures writes the pictures of the steps into a directory; 'girih draw' says more
about pictures.`,
			Example: `  girih explain '(6,2):(8,2) o (4,3):(3,1)'
  girih explain 'complement((2,3):(2,4), 24)'
  girih explain 'logical_divide((4,2,3):(2,1,8), 4:2)'
  girih explain --top 'right_inverse(coalesce((2,3):(3,1)))'
  girih explain '(6,2):(1,7) o (3,2):(2,3)'`,
		},
		do: method[ExplainRequest, ExplainResponse]{
			do:   (*Session).Explain,
			said: explanationText,
		},
	}
}

// explanationText is an explanation as it is read. Assistants see its pictures with it.
func explanationText(_ ExplainRequest, r ExplainResponse, d Door) Answer {
	a := Answer{Fault: r.Fault, OK: r.OK, Text: func() string { return r.Text(WideText) }, Notes: r.Notes}
	if !r.OK {
		a.Error = r.Error // one that an explanation has is explained in it
	}
	if d != Assistants {
		return a
	}
	a.Notes, a.Whole = r.Notes, len(r.Pictures) > 0
	for i, p := range r.Pictures {
		switch {
		case p.Data != nil:
			a.Pictures = append(a.Pictures, p.Data)
		case p.Text != "":
			a.After += "\n" + p.Name + ":\n" + p.Text
		case p.Error != nil:
			a.After += fmt.Sprintf("\n%s is not drawn: %s\n", p.Name, OneLine(p.Error.Message))
		}
		r.Pictures[i].Data, r.Pictures[i].Text = nil, ""
	}
	return a
}
