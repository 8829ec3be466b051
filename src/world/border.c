#include "world/border.h"

double eco_border_diameter(const struct eco_border *border, double elapsed)
{
    if (!(elapsed > 0.0) && border->seconds > 0.0)
        return border->diameter;
    if (!(elapsed < border->seconds))
        return border->target;
    return border->diameter + (border->target - border->diameter) * (elapsed / border->seconds);
}

enum eco_border_state eco_border_state(const struct eco_border *border, double elapsed)
{
    if (!(elapsed < border->seconds) || border->target == border->diameter)
        return ECO_BORDER_STANDS;
    return border->target > border->diameter ? ECO_BORDER_GROWS : ECO_BORDER_SHRINKS;
}

bool eco_border_moves_alike(const struct eco_border *one, const struct eco_border *other)
{
    return one->diameter == other->diameter && one->target == other->target &&
           one->seconds == other->seconds;
}
