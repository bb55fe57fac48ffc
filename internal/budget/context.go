package budget

import "context"

type key struct{}

// With returns a context that has the budget. Calls with this context draw on the budget.
func With(ctx context.Context, b *Budget) context.Context { return context.WithValue(ctx, key{}, b) }

// From returns the budget of a context, or nil if there is none.
func From(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}
