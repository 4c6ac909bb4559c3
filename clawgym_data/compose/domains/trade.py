"""Buying and selling."""

from decimal import Decimal

from clawgym_data.compose.domain import Dataset, domain
from clawgym_data.compose.values import Column, Noun, Table
from clawgym_data.compose.world import World

GOODS = ("oak shelf", "desk lamp", "linen curtain", "wool rug", "wall clock", "side table")


@domain("orders", "order-handling", "sales-reporting")
def orders(world: World) -> Dataset:
    chance = world.random
    customers = [
        {"customer_id": f"C{100 + n}", "customer": name, "city": chance.choice(world.places)}
        for n, name in enumerate(world.people[:8])
    ]
    rows = [
        {
            "order_id": f"A-{2000 + n}",
            "ordered_on": world.day(5, 120),
            "customer_id": chance.choice(customers)["customer_id"],
            "article": chance.choice(GOODS),
            "quantity": chance.randint(1, 12),
            "net_amount": Decimal(chance.randint(1500, 98000)) / 100,
            "status": chance.choice(("open", "shipped", "cancelled", "returned")),
        }
        for n in range(chance.randint(14, 40))
    ]
    status = {
        "open": "that are still open",
        "shipped": "that have been shipped",
        "cancelled": "that were cancelled",
        "returned": "that came back",
    }
    table = Table(
        Noun("order", "orders"),
        (
            Column("order_id", "id", "order number"),
            Column("ordered_on", "date", "order date"),
            Column("customer_id", "category", "customer number"),
            Column("article", "category", "article"),
            Column("quantity", "count", "quantity", "pieces"),
            Column("net_amount", "amount", "net amount", world.currency, 2),
            Column("status", "category", "status", phrases=status),
        ),
        tuple(rows),
        "order_id",
    )
    related = Table(
        Noun("customer", "customers"),
        (
            Column("customer_id", "id", "customer number"),
            Column("customer", "name", "customer name"),
            Column("city", "category", "city"),
        ),
        tuple(customers),
        "customer_id",
    )
    return Dataset(table, (related,))
