module peyk/peers

go 1.22

require (
	github.com/linxGnu/gosmpp v0.3.1
	github.com/orcaman/concurrent-map/v2 v2.0.1
	golang.org/x/exp v0.0.0-20240604190554-fc45aab8b7f8
	golang.org/x/text v0.20.0
)
